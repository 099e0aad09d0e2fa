package io.sluice.cli.plan.form;

import io.sluice.cli.plan.need.ByteEstimates;
import io.sluice.cli.plan.need.EvaluationCost;
import io.sluice.cli.plan.need.MixMemory;
import io.sluice.cli.plan.need.Plan;
import io.sluice.cli.plan.need.PlannedTopic;
import io.sluice.cli.plan.need.PlannedUser;
import io.sluice.cli.plan.need.Quotas.Quota;
import io.sluice.cli.plot.TextTable;
import io.sluice.cli.storage.ByteText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** A plan as people read it. */
public record PlanText(Plan plan) {
  private static final String NONE = "-";

  public List<String> lines() {
    List<String> lines = new ArrayList<>(topics());
    lines.add("");
    lines.addAll(totals());
    for (Plan.OfRun run : plan.runs()) {
      lines.add("");
      lines.addAll(run(run));
    }
    lines.add("");
    lines.addAll(users());
    lines.add("");
    lines.add("Estimates, marked ~, are of what files, options and brokers say:");
    ByteEstimates.ASSUMPTIONS.forEach(each -> lines.add("- " + each));
    plan.notes().forEach(note -> lines.add("- " + note));
    return lines;
  }

  private List<String> topics() {
    TextTable table =
        new TextTable(
            List.of("topic", "of", "partitions", "copies", "records", "brokers say", "bytes once"));
    for (PlannedTopic topic : plan.topics()) {
      table.add(
          List.of(
              topic.topic(),
              topic.owner().toString(),
              Integer.toString(topic.partitions()),
              topic.replicas().isPresent() ? "" + topic.replicas().getAsLong() : "theirs",
              topic.cleanup(),
              topic.standing().words(),
              estimate(topic.bytes())));
    }
    List<String> lines = new ArrayList<>(table.lines());
    for (PlannedTopic topic : plan.topics()) {
      topic.differences().forEach(each -> lines.add(topic.topic() + " has " + each));
    }
    return lines;
  }

  private List<String> totals() {
    List<String> lines = new ArrayList<>();
    for (Plan.OfDataset dataset : plan.datasets()) {
      lines.add(
          "dataset "
              + dataset.dataset()
              + ": "
              + (dataset.tokens().isPresent()
                  ? number(dataset.tokens().getAsLong()) + " tokens for training, of "
                  : "its bytes are not known: ")
              + dataset.from());
      dataset
          .store()
          .ifPresent(bytes -> lines.add("  and ~" + ByteText.of(bytes) + " of rows in its store"));
    }
    lines.add(
        (isKnown() ? "in all ~" : "of what is known, in all ~")
            + ByteText.of(plan.bytes())
            + ", with copies ~"
            + ByteText.of(plan.copiedBytes())
            + " on "
            + plan.brokers()
            + (plan.brokers() == 1 ? " broker" : " brokers")
            + (plan.asked() ? "" : ", as is assumed"));
    return lines;
  }

  private boolean isKnown() {
    return plan.datasets().stream().allMatch(each -> each.tokens().isPresent())
        && plan.runs().stream().allMatch(each -> each.tokens().isPresent());
  }

  private static List<String> run(Plan.OfRun run) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "run "
            + run.run()
            + ": "
            + (run.tokens().isPresent()
                ? number(run.tokens().getAsLong()) + " tokens"
                : "no end, so its stream's bytes are not known"));
    MixMemory memory = run.memory();
    lines.add(
        memory.splits() == 0
            ? "  nothing of MixJob's memory for blocks: it has no stream"
            : "  memory of MixJob for its blocks: %s to %s, of a heap of %s to %s"
                .formatted(
                    ByteText.of(memory.least()),
                    ByteText.of(memory.most()),
                    ByteText.of(memory.leastHeap()),
                    ByteText.of(memory.mostHeap())));
    lines.add(
        "  "
            + run.evaluation()
                .map(PlanText::evaluation)
                .orElse("evaluation: none is needed, or how much is held out is not known"));
    return lines;
  }

  private static String evaluation(EvaluationCost cost) {
    return String.format(
        Locale.ROOT,
        "evaluation: every %d batches %s sequences (%s tokens, by %s) forward, %s tokens for"
            + " gradients; ~%.2f %% of training on %s tokens",
        cost.every(),
        number(cost.sequences()),
        number(cost.evaluated()),
        cost.from(),
        number(cost.probed()),
        100 * cost.overhead(),
        number(cost.trained()));
  }

  private List<String> users() {
    TextTable table =
        new TextTable(List.of("user", "role", "rights", "writes/s, quota", "reads/s, quota"));
    for (PlannedUser user : plan.users()) {
      Quota quota = user.quota();
      table.add(
          List.of(
              user.user(),
              user.role(),
              Integer.toString(user.rights().size()),
              estimate(quota.producer()),
              estimate(quota.consumer())));
    }
    List<String> lines = new ArrayList<>(table.lines());
    plan.users().forEach(user -> lines.add(user.command()));
    return lines;
  }

  private static String estimate(OptionalLong bytes) {
    return bytes.isPresent() ? "~" + ByteText.of(bytes.getAsLong()) : NONE;
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
