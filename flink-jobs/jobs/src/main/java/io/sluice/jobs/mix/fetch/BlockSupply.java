package io.sluice.jobs.mix.fetch;

import java.nio.ByteBuffer;

/** Blocks of a run's domains in the order in which the run uses them. Never blocks. */
public interface BlockSupply {
  /** Announces that the domains of {@code order}, from a place on, will be taken in this order. */
  void need(int[] order, int from);

  /**
   * Takes the next block of a domain, if it is there.
   *
   * @return whether {@code into} now holds it
   */
  boolean take(int domain, TakenBlock into);

  /** A block that was taken; reused, so that taking one makes no object. */
  final class TakenBlock {
    /** The block as it was read. */
    public ByteBuffer bytes = ByteBuffer.allocate(0);

    /** Its own ordinal in its lane. */
    public long stored;
  }
}
