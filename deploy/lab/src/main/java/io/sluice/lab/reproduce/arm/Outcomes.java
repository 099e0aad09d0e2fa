package io.sluice.lab.reproduce.arm;

import java.util.Map;
import java.util.Objects;

/**
 * What arms of a trial came to, for those that need them.
 *
 * @param byArm of the arms that have ended
 * @param tuning of the arms that tuned the experiment, none of which is judged
 */
public record Outcomes(Map<String, ArmOutcome> byArm, Map<String, ArmOutcome> tuning) {
  /** Copies the maps. */
  public Outcomes {
    byArm = Map.copyOf(byArm);
    tuning = Map.copyOf(tuning);
  }

  /** Those of an experiment that nothing was tuned for. */
  public static Outcomes of(Map<String, ArmOutcome> byArm) {
    return new Outcomes(byArm, Map.of());
  }

  /** That of an arm, which must have ended. */
  public ArmOutcome of(String arm) {
    return Objects.requireNonNull(byArm.get(arm), () -> arm + " has not ended: " + byArm.keySet());
  }

  /** That of an arm that the experiment was tuned by. */
  public ArmOutcome tuned(String arm) {
    return Objects.requireNonNull(
        tuning.get(arm), () -> arm + ", which tunes others, has no sound outcome");
  }
}
