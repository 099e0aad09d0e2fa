package io.sluice.mixture.round;

import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * What one rank measured at one step: per domain a sum and the number of things summed.
 *
 * @param step batches that the model has been trained on
 * @param attempt nonce that all ranks of one measurement share
 * @param sums one for each domain of the run, or whatever else its policy measures
 * @param counts one for each sum; 0 where nothing was measured
 */
public record Report(
    int timeline,
    long step,
    String attempt,
    int worldSize,
    int rank,
    String metric,
    double[] sums,
    long[] counts) {
  /** Most ranks that can report. */
  public static final int MAX_WORLD = 1 << 16;

  /** Begins the reason why a report of a step that is decided cannot count. */
  public static final String CLOSED = "step must be after the last closed round's";

  /** Why this report cannot count in a run that is in {@code state}; empty if it can. */
  public Optional<String> refusal(RunState state, Policy policy) {
    RunSettings settings = state.settings();
    int owner = state.lineage().owner(step);
    if (timeline != owner) {
      return refused("timeline must be " + owner, timeline);
    }
    if (!policy.metrics().contains(metric)) {
      return refused("metric must be one of " + policy.metrics(), "'" + metric + "'");
    }
    if (step < 0 || settings.updateEvery() == 0 || step % settings.updateEvery() != 0) {
      return refused("step must be a multiple of " + settings.updateEvery(), step);
    }
    if (!neededSteps(state, policy).contains(step)
        && step <= state.round() * settings.updateEvery()) {
      return refused(CLOSED, step);
    }
    return unsound(policy.axis(metric).names(settings.domains()));
  }

  /**
   * Why this report cannot count in any run; empty if it can.
   *
   * @param measured what its values are of
   */
  public Optional<String> unsound(List<String> measured) {
    if (worldSize < 1 || worldSize > MAX_WORLD || rank < 0 || rank >= worldSize) {
      return refused("rank must be in [0, world size)", rank + " of " + worldSize);
    }
    if (sums.length != measured.size() || counts.length != measured.size()) {
      return refused("must have " + measured.size() + " sums and counts", sums.length);
    }
    for (int i = 0; i < sums.length; i++) {
      if (!Double.isFinite(sums[i])) {
        return refused(metric + " of " + measured.get(i) + " must be finite", sums[i]);
      }
      if (counts[i] < 0) {
        return refused("count of " + measured.get(i) + " must be at least 0", counts[i]);
      }
    }
    return Optional.empty();
  }

  /**
   * The steps whose reports close the next round, in the order in which they are decided on. A
   * policy that starts from step zero starts from the step of the round in which it was put in.
   */
  public static List<Long> neededSteps(RunState state, Policy policy) {
    RunSettings settings = state.settings();
    long step = (state.round() + 1) * settings.updateEvery();
    boolean starts = state.round() == state.baseRound() && policy.startsFromStepZero();
    return starts ? List.of(step - settings.updateEvery(), step) : List.of(step);
  }

  private static Optional<String> refused(String rule, Object actual) {
    return Optional.of("feedback " + rule + ": " + actual);
  }
}
