package io.sluice.mixture.decide;

import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunProgress;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.LaneShare;
import java.util.Arrays;
import java.util.List;

/** Which rewinds a run takes: those whose snapshot can be one of its own past. */
final class Rewinds {
  private Rewinds() {}

  /**
   * Checks a rewind against the run that it is asked of.
   *
   * @throws IllegalArgumentException if it is refused, with the reason
   */
  static void require(RunState state, Command.Rewind rewind) {
    LogPosition at = state.position();
    Snapshot now = state.snapshot();
    Snapshot past = rewind.snapshot();
    require(
        rewind.expectedTimeline() == at.timeline(),
        "timeline must be the current one, " + at.timeline(),
        rewind.expectedTimeline());
    require(
        past.batch() <= at.granted(), "batch must be in [0, " + at.granted() + "]", past.batch());
    require(
        rewind.skippedTo() >= past.batch() && rewind.skippedTo() <= at.granted(),
        "skipped batches must end in [" + past.batch() + ", " + at.granted() + "]",
        rewind.skippedTo());
    require(
        state.lineage().openings().size() < Lineage.MOST,
        "a run has at most " + Lineage.MOST + " timelines",
        state.lineage().openings().size());
    requireSettings(state.settings(), rewind.settings(), past.batch());
    MaskRules.requireKept(
        state.settings().masks(), rewind.settings().masks(), past.batch(), at.granted());
    past.requireFits(rewind.settings());
    requireSnapshot(now, past, rewind.settings().updateEvery());
    // A revision at that very batch, after the snapshot was taken, would be undone.
    int revised = state.revisedVersion(past.batch());
    require(
        past.weightsVersion() >= revised,
        "the snapshot is older than the log, take another: the run was revised up to batch "
            + past.batch()
            + ", its mixture version must be at least "
            + revised,
        past.weightsVersion());
    requireClosed(state, past, rewind.settings());
  }

  private static void requireSettings(RunSettings now, RunSettings then, long batch) {
    List<String> fewer =
        then.domains().size() < now.domains().size() ? then.domains() : now.domains();
    require(
        now.domains().subList(0, fewer.size()).equals(then.domains().subList(0, fewer.size())),
        "domains must begin with " + fewer,
        then.domains());
    require(then.seed() == now.seed(), "seed must stay " + now.seed(), then.seed());
    require(
        then.batchSizes().headMap(batch, true).equals(now.batchSizes().headMap(batch, true)),
        "batch must stay " + now.batchSizes() + " up to batch " + batch,
        then.batchSizes());
    require(
        then.rowLengths().headMap(batch, true).equals(now.rowLengths().headMap(batch, true)),
        "sequence-length must stay " + now.rowLengths() + " up to batch " + batch,
        then.rowLengths());
  }

  private static void requireSnapshot(Snapshot now, Snapshot past, long every) {
    require(
        past.nextSequence() <= now.nextSequence(),
        "nextSequence must be at most " + now.nextSequence(),
        past.nextSequence());
    require(
        past.weightsVersion() <= now.weightsVersion(),
        "weightsVersion must be at most " + now.weightsVersion(),
        past.weightsVersion());
    require(
        past.round() == past.baseRound() || past.round() * every <= past.batch(),
        "rounds that stand must be of steps up to " + past.batch() + ", every " + every,
        past.round());
    long[] ordinals = past.ordinals();
    int domains = past.decided().size();
    int known = now.decided().size();
    long[] granted = LaneShare.resized(now.ordinals(), known, domains);
    require(
        granted.length == ordinals.length,
        "ordinals must be " + granted.length + " in number",
        ordinals.length);
    for (int i = 0; i < ordinals.length; i++) {
      require(
          i % domains >= known || ordinals[i] <= granted[i],
          "ordinals of domain " + i % domains + " must be at most " + granted[i],
          ordinals[i]);
    }
    long used = Arrays.stream(ordinals).sum();
    require(
        used >= past.nextSequence(),
        "ordinals must sum to at least nextSequence " + past.nextSequence(),
        used);
  }

  /**
   * Refuses a snapshot that was taken before a round was closed which it would open again: the
   * reports of that round are gone.
   */
  private static void requireClosed(RunState state, Snapshot past, RunSettings settings) {
    RunProgress heard = new RunProgress(state.planVersion(), past);
    Revisions.passOverHeard(heard, settings, state.heardTo());
    require(
        heard.round == past.round() && heard.baseRound == past.baseRound(),
        "the snapshot is older than the log, take another: rounds are closed up to " + heard.round,
        past.round());
  }

  private static void require(boolean holds, String rule, Object actual) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + actual);
    }
  }
}
