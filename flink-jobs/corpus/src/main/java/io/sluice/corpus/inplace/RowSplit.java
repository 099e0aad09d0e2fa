package io.sluice.corpus.inplace;

import io.sluice.schema.DatasetSpec;

/**
 * Which of a domain's rows are training blocks of which lane, and which are held out: the last
 * ones, as they would be no others in a file's order.
 *
 * @param rows of all files
 * @param heldOut the last of them
 */
public record RowSplit(long rows, long heldOut, int lanes) {
  /** Most tokens that are held out: they are copied. */
  static final long MOST_HELD_OUT = 1 << 26;

  /** The split of so many rows. */
  static RowSplit of(DatasetSpec spec, long rows) {
    double share = spec.getHeldOut();
    int labels = spec.getSequenceLength();
    long least = -Math.floorDiv(-(long) spec.getHeldOutTokens(), labels);
    long wanted = Math.max((long) (rows * share), Math.min(rows / 2, Math.max(least, 1)));
    boolean some = share > 0 || spec.getHeldOutTokens() > 0;
    long most = -Math.floorDiv(-MOST_HELD_OUT, labels);
    return new RowSplit(rows, some ? Math.min(wanted, most) : 0, spec.getLanes());
  }

  /** Training blocks of all lanes. */
  public long training() {
    return rows - heldOut;
  }

  /** The first row of a lane; of the number of lanes, the first that is held out. */
  long first(int lane) {
    return training() / lanes * lane + training() % lanes * lane / lanes;
  }

  /** Training blocks of a lane. */
  public long blocks(int lane) {
    return first(lane + 1) - first(lane);
  }

  /** Held-out blocks of a lane. */
  public long evalBlocks(int lane) {
    return (heldOut - lane + lanes - 1) / lanes;
  }
}
