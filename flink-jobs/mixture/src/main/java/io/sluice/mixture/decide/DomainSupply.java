package io.sluice.mixture.decide;

/**
 * What is known of a domain's blocks.
 *
 * @param blocks a lower bound of those that can be read
 * @param ended whether there will be no more, so that the bound is exact
 */
public record DomainSupply(long blocks, boolean ended) {
  /** Nothing seen yet. */
  public static final DomainSupply NONE = new DomainSupply(0, false);

  /** Checks the bound. */
  public DomainSupply {
    if (blocks < 0) {
      throw new IllegalArgumentException("blocks must be at least 0: " + blocks);
    }
  }

  /**
   * Ordinals that a run may use, counted through its epochs.
   *
   * @param epochs passes over the domain; 0 counts as 1
   */
  long usable(int epochs) {
    return ended ? Math.multiplyExact(blocks, Math.max(1, epochs)) : blocks;
  }
}
