package io.sluice.lab.reproduce.arm;

import java.util.Map;
import java.util.Objects;

/**
 * What arms of a trial came to, for those that need them.
 *
 * @param byArm of the arms that have ended
 */
public record Outcomes(Map<String, ArmOutcome> byArm) {
  /** Copies the map. */
  public Outcomes {
    byArm = Map.copyOf(byArm);
  }

  /** That of an arm, which must have ended. */
  public ArmOutcome of(String arm) {
    return Objects.requireNonNull(byArm.get(arm), () -> arm + " has not ended: " + byArm.keySet());
  }
}
