package io.sluice.schema.run;

import io.sluice.schema.RowLength;
import io.sluice.schema.RunSpec;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How long the rows are that clients cut a run's sequences into: so many labels, and one token
 * more. A row is a whole sequence unless the specification says otherwise from a batch on.
 */
public final class RowLengths {
  private RowLengths() {}

  /**
   * Labels in each row of a batch.
   *
   * @param batch from 1
   */
  public static int at(RunSpec spec, long batch) {
    int labels = spec.getSequenceLength();
    for (RowLength each : spec.getRowLengths()) {
      if (each.getFromBatch() <= batch) {
        labels = each.getLabels();
      }
    }
    return labels;
  }

  /** First batch, from 1, to labels of a row from there on; empty where rows are whole. */
  public static NavigableMap<Long, Integer> byBatch(RunSpec spec) {
    NavigableMap<Long, Integer> lengths = new TreeMap<>();
    spec.getRowLengths().forEach(each -> lengths.put(each.getFromBatch(), each.getLabels()));
    return lengths;
  }

  /**
   * Checks that each length begins after the one before it, and divides the sequence length.
   *
   * @throws IllegalArgumentException naming the key of the run's file, what it may be, and what it
   *     is
   */
  public static void require(RunSpec spec) {
    int whole = spec.getSequenceLength();
    long last = 0;
    for (RowLength each : spec.getRowLengths()) {
      if (each.getFromBatch() <= last) {
        throw new IllegalArgumentException(
            "sequence-length must begin after batch "
                + last
                + ", where the length before begins: batch "
                + each.getFromBatch());
      }
      last = each.getFromBatch();
      int labels = each.getLabels();
      if (labels < 1 || labels > whole || whole % labels != 0) {
        throw new IllegalArgumentException(
            "sequence-length must be in [1, "
                + whole
                + "] tokens and divide the dataset's "
                + whole
                + ": "
                + labels);
      }
    }
  }
}
