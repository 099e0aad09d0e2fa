package io.sluice.lab.bench.measure;

/** Checks of numbers that options give. */
public final class Ranges {
  private Ranges() {}

  /**
   * Checks a number.
   *
   * @throws IllegalArgumentException with the option, its range and the value, unless that is in
   *     [least, most]
   */
  public static void require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + " must be in [" + least + ", " + most + "]: " + value);
    }
  }
}
