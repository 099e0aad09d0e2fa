package io.sluice.lab.bench.end;

import io.sluice.lab.bench.measure.MixPoint;
import io.sluice.lab.bench.measure.Ranges;

/**
 * What is delivered in each turn.
 *
 * @param domains with equal weights
 * @param rows sequences of a turn, in whole batches
 * @param batch sequences of a batch
 * @param length labels of a sequence, each of two bytes
 * @param readers ranks that share each batch
 */
record EndShape(int domains, long rows, int batch, int length, int readers) {
  private static final int LEAST_BATCHES = 2;

  /** Checks the ranges. */
  EndShape {
    Ranges.require("--domains", domains, 1, 1 << 16);
    Ranges.require("--length", length, 1, 1 << 19);
    Ranges.require("--batch", batch, 1, 1 << 16);
    Ranges.require("--rows", rows, LEAST_BATCHES * (long) batch, 1 << 24);
    Ranges.require("--readers", readers, 1, 64);
    if (batch % readers != 0) {
      throw new IllegalArgumentException(
          "--batch must be a multiple of the " + readers + " readers: " + batch);
    }
  }

  long batches() {
    return rows / batch;
  }

  long tokens() {
    return batches() * batch * length;
  }

  /** Rows of each domain, some more than an equal share: no batch can lack one. */
  int rowsOfDomain() {
    return Math.toIntExact((batches() * batch + domains - 1) / domains + LEAST_BATCHES);
  }

  /** Partitions of the stream: each reader can have its own. */
  int partitions() {
    return Math.max(MixPoint.PARTITIONS, readers);
  }
}
