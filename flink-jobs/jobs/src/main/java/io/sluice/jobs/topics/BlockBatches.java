package io.sluice.jobs.topics;

/**
 * How many bytes of one domain's blocks are stored, and so fetched, together. A reader of all
 * domains holds most of a batch of each, so they are the smaller the more domains there are; and a
 * fetch that is limited to less than a batch brings nothing, so writer and reader must agree.
 */
public final class BlockBatches {
  private static final int ALL_DOMAINS = 32 << 20;
  private static final int LEAST = 16 << 10;
  private static final int MOST = 256 << 10;

  private BlockBatches() {}

  /** Bytes of a batch, from 16 KiB to 256 KiB: 32 MiB for one batch of each domain in between. */
  public static int bytes(int domains) {
    return Math.max(LEAST, Math.min(MOST, ALL_DOMAINS / domains));
  }
}
