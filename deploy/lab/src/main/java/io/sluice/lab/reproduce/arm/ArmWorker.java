package io.sluice.lab.reproduce.arm;

import io.sluice.lab.reproduce.arm.ArmRunner.Prepared;

/** Runs arms, one at a time. */
public interface ArmWorker extends AutoCloseable {
  /**
   * Runs an arm, unless its outcome is kept already.
   *
   * @param ended outcomes of the arms that it needs
   */
  ArmOutcome run(Prepared prepared, Arm arm, Outcomes ended);

  @Override
  void close();
}
