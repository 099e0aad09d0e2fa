package io.sluice.client.run;

import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Where each batch of a run lies in the global index, and how large it is; immutable.
 *
 * @param stretches batches of one size, without a gap; the last one has no end
 */
public record BatchSchedule(List<Stretch> stretches) {
  /**
   * Batches of one size.
   *
   * @param firstIndex global index of the first sequence of the first batch
   * @param batches how many; {@link Long#MAX_VALUE} for no end
   */
  record Stretch(long fromBatch, long batches, long firstIndex, int sequences) {
    private long indexOf(long batch) {
      return firstIndex + (batch - fromBatch) * sequences;
    }
  }

  public BatchSchedule {
    stretches = List.copyOf(stretches);
  }

  /**
   * The schedule of a run that begins after a batch.
   *
   * @param firstIndex of the next batch
   */
  public static BatchSchedule of(RunSpec spec, long after, long firstIndex) {
    return new BatchSchedule(stretches(spec, after, firstIndex));
  }

  /** This schedule up to a batch, then another specification's. */
  BatchSchedule revised(RunSpec spec, long after, long firstIndex) {
    List<Stretch> all = new ArrayList<>();
    long first = stretches.get(0).fromBatch();
    if (after >= first) {
      all.addAll(between(first - 1, after));
    }
    all.addAll(stretches(spec, after, firstIndex));
    return new BatchSchedule(all);
  }

  private static List<Stretch> stretches(RunSpec spec, long after, long firstIndex) {
    List<BatchSize> sizes = spec.getBatchSizes();
    List<Stretch> stretches = new ArrayList<>();
    long index = firstIndex;
    for (int i = 0; i < sizes.size(); i++) {
      boolean isLast = i + 1 == sizes.size();
      long from = Math.max(sizes.get(i).getFromBatch(), after + 1);
      long end = isLast ? Long.MAX_VALUE : sizes.get(i + 1).getFromBatch();
      if (end > from) {
        long batches = isLast ? Long.MAX_VALUE : end - from;
        int sequences = sizes.get(i).getSequences();
        stretches.add(new Stretch(from, batches, index, sequences));
        index += isLast ? 0 : batches * sequences;
      }
    }
    return stretches;
  }

  /**
   * The stretches of the batches after one, up to another.
   *
   * @param last 0 for no end
   */
  List<Stretch> between(long after, long last) {
    List<Stretch> cut = new ArrayList<>();
    for (Stretch stretch : stretches) {
      long from = Math.max(stretch.fromBatch(), after + 1);
      boolean endless = stretch.batches() == Long.MAX_VALUE;
      long end = endless ? Long.MAX_VALUE : stretch.fromBatch() + stretch.batches();
      end = last == 0 ? end : Math.min(end, last + 1);
      if (end > from) {
        long batches = end == Long.MAX_VALUE ? Long.MAX_VALUE : end - from;
        cut.add(new Stretch(from, batches, stretch.indexOf(from), stretch.sequences()));
      }
    }
    return cut;
  }

  /** Global index of the first sequence of a batch, which is not before the first. */
  public long firstIndex(long batch) {
    Stretch found = stretches.get(0);
    for (Stretch stretch : stretches) {
      if (stretch.fromBatch() <= batch) {
        found = stretch;
      }
    }
    return found.indexOf(batch);
  }
}
