package io.sluice.serve.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunStatuses;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A run with its domains, as the API has it. */
public final class RunView {
  private RunView() {}

  /**
   * A run.
   *
   * @param supply what is prepared, by domain
   */
  public static ObjectNode of(RunFold fold, RunStatuses statuses, Map<String, Supply> supply) {
    RunSpec spec = fold.spec();
    RunState state = fold.state();
    RunStatus status = statuses.runs().get(fold.runId());
    Map<Integer, String> emission = statuses.waits().getOrDefault(fold.runId(), Map.of());
    ObjectNode run = Json.object();
    RunsView.add(run, status == null ? unsaid(fold) : status, emission);
    long granted = state.position().granted();
    run.put("timeline", state.position().timeline());
    run.put("granted", granted);
    run.put("lead", granted - Math.max(0, run.get("progress").asLong()));
    run.put("weightsVersion", state.weightsVersion());
    run.put("dataset", spec.getDataset());
    run.put("policy", spec.getPolicy());
    ObjectNode settings = run.putObject("policySettings");
    spec.getPolicySettings().forEach(settings::put);
    run.put("sequenceLength", spec.getSequenceLength());
    run.put("sequencesPerBatch", state.settings().batchSize(Math.max(1, granted)));
    run.put("batches", state.settings().batches());
    run.put("seed", spec.getSeed());
    run.put("pinned", state.pinned());
    run.put("delivery", spec.getDelivery());
    fold.origin()
        .ifPresentOrElse(
            origin ->
                run.putObject("forkedFrom")
                    .put("runId", origin.getRunId())
                    .put("batch", origin.getBatch()),
            () -> run.putNull("forkedFrom"));
    ArrayNode timelines = run.putArray("timelines");
    for (Lineage.Opening opening : state.lineage().openings()) {
      timelines
          .addObject()
          .put("timeline", opening.timeline())
          .put("fromBatch", Math.max(0, opening.after()) + 1);
    }
    ObjectNode lanes = run.putObject("emission");
    emission.forEach((lane, reason) -> lanes.put("" + lane, reason));
    run.put("lastRefusal", status == null ? "" : status.getLastRefusal());
    ArrayNode ranks = run.putArray("ranks");
    if (status != null) {
      RunsView.addRanks(ranks, status);
    }
    addDomains(run.putArray("domains"), state, supply);
    return run;
  }

  /** What is known of a run of which the job has said nothing. */
  private static RunStatus unsaid(RunFold fold) {
    return RunStatus.newBuilder()
        .setRunId(fold.runId())
        .setRun(fold.name())
        .setPhase(fold.state().phase().wireName())
        .setTimeline(fold.state().position().timeline())
        .setGranted(fold.state().position().granted())
        .setProgress(-1)
        .setWeightsVersion(fold.state().weightsVersion())
        .setWaiting("")
        .setTimeMillis(0)
        .build();
  }

  private static void addDomains(ArrayNode domains, RunState state, Map<String, Supply> supply) {
    Weights effective = state.effective();
    long[] sequences = state.sequences();
    long all = LongStream.of(sequences).sum();
    for (int i = 0; i < sequences.length; i++) {
      String name = state.settings().domains().get(i);
      ObjectNode domain = domains.addObject();
      domain.put("name", name);
      domain.put("weight", state.decided().share(i));
      domain.put("effective", effective.share(i));
      domain.put("realised", (double) sequences[i] / Math.max(1, all));
      domain.put("sequences", sequences[i]);
      addPrepared(domain, supply.get(name), sequences[i]);
    }
  }

  private static void addPrepared(ObjectNode domain, @Nullable Supply supply, long taken) {
    if (supply == null) {
      domain.putNull("prepared");
      return;
    }
    domain
        .putObject("prepared")
        .put("sequences", supply.getBlocks())
        .put("left", Math.max(0, supply.getBlocks() - taken))
        .put("ended", supply.getEnded());
  }
}
