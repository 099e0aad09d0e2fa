package io.sluice.mixture.decide;

/**
 * What is known of a domain's blocks.
 *
 * @param blocks a lower bound of those that can be read
 * @param ended whether there will be no more, so that the bound is exact
 * @param unsealed what there is beside what can be read, where that is only what is sealed
 */
public record DomainSupply(long blocks, boolean ended, Unsealed unsealed) {
  /** Nothing seen yet. */
  public static final DomainSupply NONE = new DomainSupply(0, false);

  /**
   * What is not sealed.
   *
   * @param blocks of them
   * @param end whether the end is among it
   */
  public record Unsealed(long blocks, boolean end) {
    private static final Unsealed NOTHING = new Unsealed(0, false);
  }

  /** What can all be read. */
  public DomainSupply(long blocks, boolean ended) {
    this(blocks, ended, Unsealed.NOTHING);
  }

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

  /**
   * What of this a run can use that reads what is sealed. Where nothing came before the end, there
   * is nothing to seal.
   *
   * @param rows blocks that are sealed
   * @param end whether it is sealed that no more follow
   */
  public DomainSupply sealed(long rows, boolean end) {
    boolean whole = ended && rows >= blocks && (end || blocks == 0);
    long usable = Math.min(rows, blocks);
    return new DomainSupply(usable, whole, new Unsealed(blocks - usable, ended && !whole));
  }
}
