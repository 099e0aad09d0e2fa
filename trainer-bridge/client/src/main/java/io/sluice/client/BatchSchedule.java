package io.sluice.client;

import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import java.util.List;

/** Where each batch of a run starts in the global index. */
final class BatchSchedule {
  private BatchSchedule() {}

  /**
   * Global index of the first sequence of a batch: the sizes of all batches before it.
   *
   * @param batch from 1
   */
  static long firstIndex(RunSpec spec, long batch) {
    List<BatchSize> sizes = spec.getBatchSizes();
    long index = 0;
    for (int i = 0; i < sizes.size(); i++) {
      long from = sizes.get(i).getFromBatch();
      long end = i + 1 < sizes.size() ? sizes.get(i + 1).getFromBatch() : Long.MAX_VALUE;
      if (batch <= from) {
        break;
      }
      index += (Math.min(end, batch) - from) * sizes.get(i).getSequences();
    }
    return index;
  }
}
