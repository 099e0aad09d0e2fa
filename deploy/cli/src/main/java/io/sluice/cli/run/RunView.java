package io.sluice.cli.run;

import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunCatalog;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.UnknownPolicyException;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run as a person reads it. */
final class RunView {
  private RunView() {}

  /** Where the run stands, what it waits for, and its domains, a line each. */
  static List<String> show(
      RunCatalog.Entry entry,
      Map<String, Supply> supply,
      Optional<TrainedData> trained,
      Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add(entry.name() + " (" + entry.runId() + "): " + entry.phase());
    entry.status().ifPresent(status -> lines.addAll(standing(status, now)));
    entry
        .emission()
        .forEach((lane, reason) -> lines.add("  emission of lane " + lane + " waits " + reason));
    trained.ifPresent(data -> lines.add(age(data)));
    entry.fold().ifPresent(fold -> lines.addAll(past(fold)));
    entry.fold().ifPresent(fold -> lines.addAll(mixture(fold, supply)));
    return lines;
  }

  private static String age(TrainedData trained) {
    return String.format(
        Locale.ROOT,
        "  age: the blocks of batch %d were packed %d s ago on average, the oldest %d s ago",
        trained.batch(),
        trained.age().mean().toSeconds(),
        trained.age().max().toSeconds());
  }

  /** Where the run comes from, and which timeline owns which of its batches. */
  private static List<String> past(RunFold fold) {
    List<String> lines = new ArrayList<>();
    fold.origin()
        .ifPresent(
            origin ->
                lines.add("  forked from " + origin.getRunId() + " at batch " + origin.getBatch()));
    List<Lineage.Opening> openings = fold.state().lineage().openings();
    if (openings.size() > 1) {
      lines.add(
          "  timelines: "
              + openings.stream()
                  .map(o -> o.timeline() + " from batch " + (Math.max(0, o.after()) + 1))
                  .collect(Collectors.joining(", ")));
    }
    if (fold.state().pinned()) {
      lines.add("  weights are pinned: rounds do not move them");
    }
    if (fold.state().drainTo() > fold.state().position().granted()) {
      lines.add("  drains to batch " + fold.state().drainTo());
    }
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
    if (!status.getOtherWriter().isEmpty()) {
      lines.add("  ANOTHER WRITER is alive: " + status.getOtherWriter());
    }
    if (status.getOldestCheckpoint() >= 0) {
      lines.add("  oldest checkpoint: batch " + status.getOldestCheckpoint());
    }
    status.getTrainers().forEach(trainer -> lines.add("  trainer: " + trainer));
    if (status.getIgnoredControl() > 0) {
      lines.add("  control records that did not apply: " + status.getIgnoredControl());
    }
    return lines;
  }

  private static List<String> mixture(RunFold fold, Map<String, Supply> supply) {
    RunSpec spec = fold.spec();
    RunState state = fold.state();
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
    try {
      RunPolicy.make(state.settings());
    } catch (UnknownPolicyException e) {
      lines.add("  " + e.missingFrom("this command"));
    }
    if (fold.rounds() > 0) {
      lines.add("  last round: " + fold.why());
    }
    long[] granted = granted(state.ordinals(), spec.getDomains().size());
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
              note(fold, i, ready)));
    }
    return lines;
  }

  /** Sequences of each domain, its lanes together. */
  private static long[] granted(long[] ordinals, int domains) {
    long[] granted = new long[domains];
    for (int i = 0; i < ordinals.length; i++) {
      granted[i % domains] += ordinals[i];
    }
    return granted;
  }

  private static String note(RunFold fold, int domain, @Nullable Supply ready) {
    if (fold.spec().getRemoved().contains(fold.spec().getDomains().get(domain))) {
      return " (removed)";
    }
    return ready != null && ready.getEnded() ? " (ended)" : "";
  }
}
