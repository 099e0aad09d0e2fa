package io.sluice.cli.run;

import io.sluice.cli.history.RunHistory;
import io.sluice.mixture.control.ControlEntry.Grant;
import io.sluice.mixture.control.RunState;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A run as a person reads it. */
final class RunView {
  private RunView() {}

  /** Where the run stands, what it waits for, and its domains, a line each. */
  static List<String> show(RunCatalog.Entry entry, Map<String, Supply> supply, Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add(entry.name() + " (" + entry.runId() + "): " + entry.phase());
    entry.status().ifPresent(status -> lines.addAll(standing(status, now)));
    entry.history().ifPresent(history -> lines.addAll(mixture(history, supply)));
    return lines;
  }

  private static List<String> standing(RunStatus status, Instant now) {
    List<String> lines = new ArrayList<>();
    if (!status.getWaiting().isEmpty()) {
      Duration since = Duration.between(Instant.ofEpochMilli(status.getWaitingSinceMillis()), now);
      lines.add(
          status.getPhase().equals("failed")
              ? "  reason: " + status.getWaiting()
              : "  waits: " + status.getWaiting() + ", for " + since.toSeconds() + " s");
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "  timeline %d, granted to batch %d, trainers at batch %d, mixture version %d",
            status.getTimeline(),
            status.getGranted(),
            status.getProgress(),
            status.getWeightsVersion()));
    if (status.getRefusedFeedback() > 0) {
      lines.add(
          "  refused feedback: "
              + status.getRefusedFeedback()
              + ", last: "
              + status.getLastRefusal());
    }
    if (status.getIgnoredControl() > 0) {
      lines.add("  control records that did not apply: " + status.getIgnoredControl());
    }
    return lines;
  }

  private static List<String> mixture(RunHistory history, Map<String, Supply> supply) {
    RunSpec spec = history.spec();
    RunState state = history.state();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "  dataset %s, policy %s, %s sequences a batch of %d tokens each, seed %d",
            spec.getDataset(),
            spec.getPolicy(),
            state.settings().batchSizes().values(),
            spec.getSequenceLength(),
            spec.getSeed()));
    List<Grant> rounds = history.rounds();
    if (!rounds.isEmpty()) {
      lines.add("  last round: " + history.entries().get(history.entries().size() - 1).why());
    }
    long[] granted = state.ordinals();
    lines.add(
        String.format(
            Locale.ROOT, "  %-24s %9s %12s %12s", "domain", "weight", "granted", "ready"));
    for (int i = 0; i < spec.getDomains().size(); i++) {
      String domain = spec.getDomains().get(i);
      Supply ready = supply.get(domain);
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-24s %9.6f %12d %12s%s",
              domain,
              state.decided().share(i),
              granted[i],
              ready == null ? "-" : ready.getBlocks(),
              ready != null && ready.getEnded() ? " (ended)" : ""));
    }
    return lines;
  }
}
