package io.sluice.schema;

/**
 * How many held-out blocks of each domain a run's measurements use: the first ones, by ordinal and
 * lane. They are the same for every trainer of the dataset, so the fingerprint and these numbers
 * are the version of the sets.
 *
 * @param evalBlocks that are evaluated; 0 for all
 * @param probeBlocks of one probe batch, from those after the evaluated ones
 */
public record HeldOutSize(int evalBlocks, int probeBlocks) {
  /** Checks the ranges. */
  public HeldOutSize {
    if (evalBlocks < 0 || probeBlocks < 1) {
      throw new IllegalArgumentException(
          "evalBlocks must not be negative, probeBlocks at least 1: "
              + evalBlocks
              + ", "
              + probeBlocks);
    }
  }

  /** The run's sizes, which are in tokens, in whole blocks. */
  public static HeldOutSize of(RunSpec spec) {
    return new HeldOutSize(
        blocks(spec.getEvalTokens(), spec), Math.max(1, blocks(spec.getProbeTokens(), spec)));
  }

  private static int blocks(long tokens, RunSpec spec) {
    return Math.toIntExact(-Math.floorDiv(-tokens, spec.getSequenceLength()));
  }

  /** Which sets these are: the dataset's fingerprint and the numbers of blocks. */
  public String version(RunSpec spec) {
    return Long.toHexString(spec.getFingerprint()) + "-" + evalBlocks + "-" + probeBlocks;
  }
}
