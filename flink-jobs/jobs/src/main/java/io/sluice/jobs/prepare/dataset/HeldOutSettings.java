package io.sluice.jobs.prepare.dataset;

/**
 * What is held out for evaluation.
 *
 * @param share of documents, in [0, 1)
 */
public record HeldOutSettings(double share) {
  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public HeldOutSettings {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException("held-out must be in [0, 1): found " + share);
    }
  }
}
