package io.sluice.jobs.prepare.log;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;

/**
 * What earlier executions committed for a domain. A job whose state is behind it, or that has no
 * state, packs the documents in between again and writes only what comes after.
 */
public record CommittedSupply(long documents, long blocks, long evalBlocks, boolean ended) {
  /** Nothing. */
  public static final CommittedSupply NONE = new CommittedSupply(0, 0, 0, false);

  /**
   * What the record says of its lane.
   *
   * @throws IllegalStateException if it is of another fingerprint than the dataset has now
   */
  public static CommittedSupply of(Supply supply, DatasetSpec spec) {
    if (supply.getFingerprint() != spec.getFingerprint()) {
      throw new IllegalStateException(
          String.format(
              "dataset '%s' was packed with fingerprint %016x and now has %016x:"
                  + " settings that change a block need a new dataset name",
              spec.getName(), supply.getFingerprint(), spec.getFingerprint()));
    }
    return new CommittedSupply(
        supply.getDocuments(), supply.getBlocks(), supply.getEvalBlocks(), supply.getEnded());
  }

  /** What two lanes of a domain have together; they are committed together. */
  public CommittedSupply and(CommittedSupply lane) {
    return new CommittedSupply(
        documents, blocks + lane.blocks, evalBlocks + lane.evalBlocks, ended);
  }

  /**
   * Checks that packing the corpus again came to the same point.
   *
   * @throws IllegalStateException if the corpus or the packing is not what it was
   */
  public void requireSame(String domain, CommittedSupply again) {
    if (!equals(again)) {
      throw new IllegalStateException(
          "domain '"
              + domain
              + "' does not pack as it did: committed are "
              + this
              + ", its corpus topic now gives "
              + again);
    }
  }

  /**
   * Checks that nothing is missing of what restored state has packed.
   *
   * @throws IllegalStateException if a transaction was lost
   */
  public void requireAtLeast(String domain, CommittedSupply restored) {
    if (restored.documents > documents || (restored.ended && !ended)) {
      throw lost(domain, restored.toString());
    }
  }

  /** Whether the other has blocks that this has not. */
  public boolean isBehind(CommittedSupply other) {
    return blocks < other.blocks || evalBlocks < other.evalBlocks;
  }

  /** That restored state has packed what is not committed. */
  public IllegalStateException lost(String domain, String restored) {
    return new IllegalStateException(
        "domain '"
            + domain
            + "': the restored state has packed "
            + restored
            + ", but committed are only "
            + this
            + ": a transaction expired before it was committed; start the job without its state"
            + " and it packs what is missing again");
  }

  @Override
  public String toString() {
    return String.format(
        "%d documents, %d blocks and %d held-out blocks%s",
        documents, blocks, evalBlocks, ended ? " with the end" : "");
  }
}
