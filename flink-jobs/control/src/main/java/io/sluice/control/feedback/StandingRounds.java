package io.sluice.control.feedback;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rounds of a run that stand, since it began or people last changed what they follow from:
 * weights by hand, a pin, another policy, other smoothing, rounds or domains.
 *
 * @param run what its log folds to
 * @param settings in force since then
 * @param begin what the first of the rounds follows from
 * @param rounds what was decided, by step
 */
public record StandingRounds(
    RunFold run, RunSettings settings, Snapshot begin, SortedMap<Long, Decided> rounds) {
  /**
   * What a round came to.
   *
   * @param kept whether it was closed without feedback, so that the weights stayed
   * @param weights in force from it on
   */
  public record Decided(boolean kept, Weights weights) {}

  /** Copies the rounds. */
  public StandingRounds {
    rounds = Collections.unmodifiableSortedMap(new TreeMap<>(rounds));
  }

  /**
   * The rounds of the run that was last started under a name.
   *
   * @throws BadInputException if there is none; the message names those there are
   */
  public static StandingRounds read(KafkaAccess access, String run) {
    RunLogs logs = RunLogs.of(access);
    RoundsFold rounds = new RoundsFold();
    RunFold fold = logs.fold(logs.require(run), rounds::accept);
    return new StandingRounds(fold, rounds.settings(), rounds.begin(), rounds.rounds());
  }

  /** The weights that a policy has which begins where these rounds do. */
  public Weights initial() {
    // A run's own policy may have begun with others than its file says.
    return begin.batch() == 0 && begin.weightsVersion() == 1
        ? settings.initialWeights()
        : begin.decided();
  }

  /** Step of the round before the first. */
  public long base() {
    return begin.round() * settings.updateEvery();
  }

  /** The steps of the rounds, in order. */
  public List<Long> steps() {
    return List.copyOf(rounds.keySet());
  }
}
