package io.sluice.lab.bench.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * One setting of the mix benchmark.
 *
 * @param domains with equal weights
 * @param lanes partitions of each block topic
 * @param runs that are mixed at a time, each of the same blocks
 * @param partitions of each stream
 * @param blockBytes bytes of a block, roughly
 * @param batchSize sequences in a batch
 * @param blocks that each way of copying moves, all runs together
 */
public record MixPoint(
    int domains,
    int lanes,
    int runs,
    int partitions,
    int blockBytes,
    int batchSize,
    Compression compression,
    long blocks) {
  /** Stream partitions unless asked otherwise. */
  public static final int PARTITIONS = 4;

  private static final int MOST_DOMAINS = 1 << 18;
  private static final int MOST_LANES = 64;
  private static final int MOST_RUNS = 64;
  private static final int MOST_PARTITIONS = 1 << 10;
  private static final int LEAST_BLOCK = 256;
  private static final int MOST_BLOCK = 1 << 20;

  /** Use of lanes drifts apart by less than this. */
  private static final int DRIFT = 4;

  /** Checks the ranges. */
  public MixPoint {
    Ranges.require("--domains", domains, 1, MOST_DOMAINS);
    Ranges.require("--lanes", lanes, 1, MOST_LANES);
    Ranges.require("--runs", runs, 1, MOST_RUNS);
    Ranges.require("--partitions", partitions, 1, MOST_PARTITIONS);
    if (partitions % lanes != 0) {
      throw new IllegalArgumentException(
          "--partitions must be a multiple of the " + lanes + " lanes: " + partitions);
    }
    Ranges.require("--block-bytes", blockBytes, LEAST_BLOCK, MOST_BLOCK);
    Ranges.require("--batch", batchSize, 1, 1 << 20);
  }

  /** A point of one lane and one run with the usual partitions. */
  public static MixPoint single(
      int domains, int blockBytes, int batchSize, Compression compression, long blocks) {
    return new MixPoint(domains, 1, 1, PARTITIONS, blockBytes, batchSize, compression, blocks);
  }

  /** This point with every combination of these. */
  public List<MixPoint> vary(
      List<Integer> lanes, List<Integer> runs, List<Integer> partitions, List<Integer> batches) {
    List<MixPoint> points = new ArrayList<>();
    for (int l : lanes) {
      for (int r : runs) {
        for (int p : partitions) {
          for (int batch : batches) {
            points.add(new MixPoint(domains, l, r, p, blockBytes, batch, compression, blocks));
          }
        }
      }
    }
    return points;
  }

  /** Whole batches of each run, at least two. */
  public long batches() {
    return Math.max(2, blocks / runs / batchSize);
  }

  /** Sequences of each run. */
  public long sequences() {
    return batches() * batchSize;
  }

  /** Blocks of each domain's lane, some more than an equal share: no batch can lack one. */
  int blocksPerLane() {
    long parts = (long) domains * lanes;
    return Math.toIntExact((sequences() + parts - 1) / parts + 2 + (lanes == 1 ? 0 : DRIFT));
  }
}
