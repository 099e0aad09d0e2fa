package io.sluice.lab.bench.fan;

import io.sluice.lab.bench.measure.Ranges;
import io.sluice.schema.segment.RowFormat;

/**
 * Who reads what, and how fast.
 *
 * @param gpus each a rank of its own
 * @param gpusPerNode that share a node's network and its cache
 * @param tokensPerSecond that a GPU trains on
 * @param length labels of a sequence, each of two bytes
 * @param rows sequences of a GPU in each batch
 * @param domains with equal weights
 * @param brokers that share all partitions evenly
 * @param partitions of the stream
 * @param copies that the brokers keep
 * @param corpusTokens of the dataset, all of them sealed
 */
record FanShape(
    int gpus,
    int gpusPerNode,
    int tokensPerSecond,
    int length,
    int rows,
    int domains,
    int brokers,
    int partitions,
    int copies,
    long corpusTokens) {
  private static final int WIDTH = 2;

  /** Checks the ranges. */
  FanShape {
    Ranges.require("--gpus", gpus, 1, 1 << 17);
    Ranges.require("--gpus-per-node", gpusPerNode, 1, 1 << 10);
    Ranges.require("--tokens", tokensPerSecond, 1, 1 << 24);
    Ranges.require("--length", length, 1, 1 << 19);
    Ranges.require("--rows", rows, 1, 1 << 10);
    Ranges.require("--domains", domains, 1, 1 << 16);
    Ranges.require("--brokers", brokers, 1, 1 << 10);
    Ranges.require("--partitions", partitions, 1, 1 << 10);
    Ranges.require("--copies", copies, 1, Math.min(brokers, 1 << 4));
    Ranges.require("--corpus", corpusTokens, 1, 1L << 50);
  }

  /** Sequences of a batch. */
  int batch() {
    return gpus * rows;
  }

  double batchesPerSecond() {
    return tokensPerSecond / ((double) rows * length);
  }

  /** Sequences that all GPUs take in a second. */
  double rowsPerSecond() {
    return batchesPerSecond() * batch();
  }

  /** Nodes that the GPUs are in. */
  int nodes() {
    return (gpus + gpusPerNode - 1) / gpusPerNode;
  }

  /** How a sequence lies in a store. */
  RowFormat format() {
    return new RowFormat(length + 1, WIDTH);
  }

  /** Rows that the whole dataset is. */
  double corpusRows() {
    return Math.ceil((double) corpusTokens / length);
  }
}
