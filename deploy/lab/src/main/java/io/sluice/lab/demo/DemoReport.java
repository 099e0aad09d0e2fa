package io.sluice.lab.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.history.RunHistory;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What came of a demo: the run as its logs tell it, the losses as the trainer measured them.
 *
 * @param tokens trained tokens
 * @param seconds from the first batch asked for to the last step done
 * @param losses mean held-out loss in nats per token, by step and domain
 */
record DemoReport(
    RunHistory history,
    AuditReport audit,
    long steps,
    long tokens,
    double seconds,
    SortedMap<Long, Map<String, Double>> losses) {

  /** Trained tokens per second, evaluation included. */
  double tokensPerSecond() {
    return tokens / seconds;
  }

  /** The report in words, a line each. */
  List<String> summary() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%d steps, %d tokens, %.0f tokens/s, %d mixture versions",
            steps,
            tokens,
            tokensPerSecond(),
            history.versions().size()));
    Weights first = history.versions().get(0).weights();
    Weights last = history.state().decided();
    for (int i = 0; i < last.size(); i++) {
      String domain = history.spec().getDomains().get(i);
      String loss =
          losses.isEmpty()
              ? ""
              : String.format(
                  Locale.ROOT,
                  "   eval loss %.3f -> %.3f",
                  loss(losses.firstKey(), domain),
                  loss(losses.lastKey(), domain));
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-16s weight %.4f -> %.4f%s",
              domain,
              first.share(i),
              last.share(i),
              loss));
    }
    lines.add(audit.summary());
    return lines;
  }

  /** Everything in it, for programs. */
  ObjectNode json() {
    RunSpec spec = history.spec();
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("run", spec.getRun());
    json.put("policy", spec.getPolicy());
    spec.getDomains().forEach(json.putArray("domains")::add);
    json.put("steps", steps);
    json.put("batchSize", spec.getBatchSizes().get(0).getSequences());
    json.put("sequenceLength", spec.getSequenceLength());
    json.put("tokens", tokens);
    json.put("tokensPerSecond", tokensPerSecond());
    json.put("updateEvery", spec.getUpdateEvery());
    json.put("lag", spec.getLag());
    json.put("versions", history.versions().size());
    versions(json.putArray("weights"));
    rounds(json.putArray("rounds"));
    ArrayNode composition = json.putArray("composition");
    audit
        .composition()
        .forEach(
            (batch, counts) -> {
              ObjectNode entry = composition.addObject();
              entry.put("batch", batch);
              ObjectNode sequences = entry.putObject("sequences");
              counts.forEach(sequences::put);
            });
    ArrayNode evalLoss = json.putArray("evalLoss");
    losses.forEach(
        (step, byDomain) -> {
          ObjectNode entry = evalLoss.addObject();
          entry.put("step", step);
          ObjectNode loss = entry.putObject("loss");
          byDomain.forEach(loss::put);
        });
    json.put("streamDigest", audit.digest());
    json.set("audit", audit.json());
    return json;
  }

  private @Nullable Double loss(long step, String domain) {
    return Objects.requireNonNull(losses.get(step)).get(domain);
  }

  private void versions(ArrayNode into) {
    for (RunHistory.Version version : history.versions()) {
      ObjectNode entry = into.addObject();
      entry.put("batch", version.firstBatch());
      entry.put("version", version.version());
      weights(entry.putObject("weights"), version.weights());
    }
  }

  private void rounds(ArrayNode into) {
    for (Grant grant : history.rounds()) {
      RoundDecision decision = grant.decision().orElseThrow();
      ObjectNode entry = into.addObject();
      entry.put("step", decision.step());
      entry.put("version", grant.weightsVersion());
      entry.put("firstBatch", grant.after() + 1);
    }
  }

  private void weights(ObjectNode into, Weights weights) {
    for (int i = 0; i < weights.size(); i++) {
      into.put(history.spec().getDomains().get(i), weights.share(i));
    }
  }
}
