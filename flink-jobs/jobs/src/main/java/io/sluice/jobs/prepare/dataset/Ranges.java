package io.sluice.jobs.prepare.dataset;

/** Checks of whole numbers that a user gives. */
final class Ranges {
  private Ranges() {}

  /**
   * Checks a number.
   *
   * @throws IllegalArgumentException with the key, its range and the value, unless that is in [1,
   *     last]
   */
  static void require(String key, int value, int last) {
    if (value < 1 || value > last) {
      throw new IllegalArgumentException(key + " must be in [1, " + last + "]: found " + value);
    }
  }
}
