package io.sluice.cli.bench;

/**
 * One setting of the mix benchmark.
 *
 * @param domains with equal weights
 * @param blockBytes bytes of a block, roughly
 * @param batchSize sequences in a batch
 * @param blocks that each copy moves
 */
record MixPoint(int domains, int blockBytes, int batchSize, Compression compression, long blocks) {
  private static final int MOST_DOMAINS = 1 << 18;
  private static final int LEAST_BLOCK = 256;
  private static final int MOST_BLOCK = 1 << 20;

  /** Checks the ranges. */
  MixPoint {
    requireRange("--domains", domains, 1, MOST_DOMAINS);
    requireRange("--block-bytes", blockBytes, LEAST_BLOCK, MOST_BLOCK);
    requireRange("--batch", batchSize, 1, 1 << 20);
  }

  private static void requireRange(String key, long value, long low, long high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(key + " must be in [" + low + ", " + high + "]: " + value);
    }
  }

  /** Whole batches in it, at least two. */
  long batches() {
    return Math.max(2, blocks / batchSize);
  }

  /** Blocks of each domain, two more than an equal share: no batch can lack one. */
  int blocksPerDomain() {
    return Math.toIntExact((batches() * batchSize + domains - 1) / domains + 2);
  }
}
