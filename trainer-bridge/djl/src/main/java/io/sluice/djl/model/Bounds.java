package io.sluice.djl.model;

/** Checks of what callers ask for. */
public final class Bounds {
  private Bounds() {}

  /**
   * Refuses a value below the least.
   *
   * @throws IllegalArgumentException naming key, least and value
   */
  public static void requireAtLeast(String key, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(key + " must be at least " + least + ": " + value);
    }
  }
}
