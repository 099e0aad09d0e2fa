package io.sluice.jobs.prepare.dataset;

/**
 * How documents become blocks.
 *
 * @param sequenceLength labels in a block, in [1, 131072]
 */
public record PackingSettings(int sequenceLength) {
  /** Most labels in a block. */
  public static final int LONGEST_SEQUENCE = 1 << 17;

  /**
   * Checks every range.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public PackingSettings {
    Ranges.require("sequence-length", sequenceLength, LONGEST_SEQUENCE);
  }
}
