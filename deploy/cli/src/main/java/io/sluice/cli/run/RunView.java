package io.sluice.cli.run;

import io.sluice.cli.storage.ByteText;
import io.sluice.client.run.ExposedTime;
import io.sluice.control.config.Durations;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RowStages;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.UnknownPolicyException;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.ExposedWait;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import io.sluice.schema.run.Delivery;
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

  /**
   * What is prepared of a run's dataset.
   *
   * @param supply by domain
   * @param dataset its specification; null where nothing depends on that
   */
  record Prepared(Map<String, Supply> supply, @Nullable DatasetSpec dataset) {
    /** Nothing is known of it. */
    static final Prepared NOTHING = new Prepared(Map.of(), null);

    static Prepared read(KafkaAccess access, String dataset) {
      Map<String, Supply> supply = PreparedDomains.read(access, dataset);
      // Nothing waits to be shuffled in domains that have ended.
      boolean ended = supply.values().stream().allMatch(Supply::getEnded);
      return new Prepared(
          supply, ended ? null : new DatasetCatalog(access).find(dataset).orElse(null));
    }
  }

  /** Where the run stands, what it waits for, and its domains, a line each. */
  static List<String> show(
      RunCatalog.Entry entry, Prepared prepared, Optional<TrainedData> trained, Instant now) {
    List<String> lines = new ArrayList<>();
    lines.add(entry.name() + " (" + entry.runId() + "): " + entry.phase());
    entry.status().ifPresent(status -> lines.addAll(standing(status, now)));
    entry
        .emission()
        .forEach((lane, reason) -> lines.add("  emission of lane " + lane + " waits " + reason));
    trained.ifPresent(data -> lines.add(age(data)));
    entry.fold().ifPresent(fold -> lines.addAll(past(fold)));
    entry.fold().ifPresent(fold -> lines.addAll(mixture(fold, prepared)));
    return lines;
  }

  private static String age(TrainedData trained) {
    return String.format(
        Locale.ROOT,
        "  age: the blocks of batch %d were packed %s ago on average, the oldest %s ago",
        trained.batch(),
        Durations.passed(trained.age().mean()),
        Durations.passed(trained.age().max()));
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
    lines.addAll(shares(fold.spec()));
    if (fold.state().pinned()) {
      lines.add("  weights are pinned: rounds do not move them");
    }
    if (fold.state().drainTo() > fold.state().position().granted()) {
      lines.add("  drains to batch " + fold.state().drainTo());
    }
    return lines;
  }

  /** How it shares the service with others, where that is not as usual. */
  private static List<String> shares(RunSpec spec) {
    List<String> shares = new ArrayList<>();
    if (spec.getPriority() != RunLimits.PRIORITY) {
      shares.add("priority " + spec.getPriority());
    }
    if (spec.getTokensPerSecond() > 0) {
      shares.add(String.format(Locale.ROOT, "at most %,d tokens/s", spec.getTokensPerSecond()));
    }
    if (spec.getStreamBytes() > 0) {
      shares.add("a stream of at most " + ByteText.of(spec.getStreamBytes()));
    }
    return shares.isEmpty() ? List.of() : List.of("  shares: " + String.join(", ", shares));
  }

  private static List<String> standing(RunStatus status, Instant now) {
    List<String> lines = new ArrayList<>();
    if (!status.getWaiting().isEmpty()) {
      Duration since = Duration.between(Instant.ofEpochMilli(status.getWaitingSinceMillis()), now);
      lines.add(
          status.getPhase().equals("failed")
              ? "  reason: " + status.getWaiting()
              : "  waits: " + status.getWaiting() + ", for " + Durations.passed(since));
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
          "  refused feedback: %d, last: %s"
              .formatted(status.getRefusedFeedback(), status.getLastRefusal()));
    }
    if (status.getRepeatedFeedback() > 0) {
      lines.add(
          "  repeated feedback: %d, as of trainers that go on from a checkpoint; last: %s"
              .formatted(status.getRepeatedFeedback(), status.getLastRepeated()));
    }
    if (!status.getOtherWriter().isEmpty()) {
      lines.add("  ANOTHER WRITER is alive: " + status.getOtherWriter());
    }
    if (status.getOldestCheckpoint() >= 0) {
      lines.add("  oldest checkpoint: batch " + status.getOldestCheckpoint());
    }
    lines.addAll(trainers(status, now));
    if (status.getIgnoredControl() > 0) {
      lines.add("  control records that did not apply: " + status.getIgnoredControl());
    }
    return lines;
  }

  /** Who is attached, and how long ago each was heard. */
  private static List<String> trainers(RunStatus status, Instant now) {
    List<String> lines = new ArrayList<>();
    for (String trainer : status.getTrainers()) {
      List<Long> all = status.getHeardMillis();
      long heard = lines.size() < all.size() ? all.get(lines.size()) : 0;
      String ago = Durations.passed(Duration.between(Instant.ofEpochMilli(heard), now));
      String waited = waited(status.getExposed(), lines.size());
      lines.add("  trainer: " + trainer + (heard == 0 ? "" : ", heard " + ago + " ago") + waited);
    }
    return lines;
  }

  /** What part of its steps the loop of a trainer stood still for data. */
  private static String waited(List<ExposedWait> all, int trainer) {
    ExposedTime exposed =
        trainer < all.size() ? ExposedTime.of(all.get(trainer)) : ExposedTime.NONE;
    return exposed.stepNanos() == 0 ? "" : ", waited " + exposed;
  }

  private static List<String> mixture(RunFold fold, Prepared prepared) {
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
    if (Delivery.isDerived(spec)) {
      lines.add("  delivery derived: no stream, trainers read rows of the dataset's store");
    }
    RowStages rows = RowStages.of(spec);
    if (!rows.stages().isEmpty()) {
      lines.add("  " + rows);
    }
    for (DocumentMask mask : spec.getMasks()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  masks %d documents from batch %d on: %s (set %.12s)",
              mask.getDocuments(),
              mask.getFromBatch(),
              mask.getWhy(),
              mask.getSet()));
    }
    try {
      RunPolicy.make(state.settings());
    } catch (UnknownPolicyException e) {
      lines.add("  " + e.missingFrom("this command"));
    }
    if (fold.rounds() > 0) {
      lines.add("  last round: " + fold.why());
    }
    lines.addAll(new MixtureTable(spec, state, prepared.supply(), prepared.dataset()).lines());
    return lines;
  }
}
