package io.sluice.djl.trainer;

import io.sluice.djl.model.Bounds;
import java.nio.file.Path;

/**
 * Where and when a trainer keeps checkpoints.
 *
 * @param directory of one run's trainer; it resumes from the newest one in it
 * @param every steps between two
 * @param keep newest ones that stay
 */
public record CheckpointSettings(Path directory, long every, int keep) {
  /** Checks the ranges. */
  public CheckpointSettings {
    Bounds.requireAtLeast("checkpoints.every", every, 1);
    Bounds.requireAtLeast("checkpoints.keep", keep, 1);
  }
}
