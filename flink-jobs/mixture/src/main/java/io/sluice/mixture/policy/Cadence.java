package io.sluice.mixture.policy;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When a run's rounds are and how much its batches hold, for policies that follow a schedule.
 *
 * @param every batches between rounds; 0 for a run without rounds
 * @param lag batches after a round's step before its decision is in force
 * @param batchSizes first batch, from 1, to sequences per batch from there on
 * @param batches in the run; 0 means no end
 */
public record Cadence(long every, long lag, NavigableMap<Long, Integer> batchSizes, long batches) {
  /** Copies the sizes, of which there must be one for batch 1. */
  public Cadence {
    batchSizes = Collections.unmodifiableNavigableMap(new TreeMap<>(batchSizes));
    if (batchSizes.isEmpty() || batchSizes.firstKey() != 1) {
      throw new IllegalArgumentException("batch must start at batch 1: " + batchSizes);
    }
  }

  /**
   * The cadence of the run that a policy decides in.
   *
   * @param whose the policy, for messages
   * @throws IllegalStateException if there is none
   */
  public static Cadence require(@Nullable Cadence run, String whose) {
    if (run == null) {
      throw new IllegalStateException(whose + " decides in a run only");
    }
    return run;
  }

  /** Sequences in the first {@code count} batches; the greatest number there is if it is more. */
  public long sequencesIn(long count) {
    long sequences = 0;
    for (Map.Entry<Long, Integer> size : batchSizes.entrySet()) {
      Long next = batchSizes.higherKey(size.getKey());
      long last = next == null ? count : Math.min(count, next - 1);
      long batches = Math.max(0, last - size.getKey() + 1);
      if (batches > (Long.MAX_VALUE - sequences) / size.getValue()) {
        return Long.MAX_VALUE;
      }
      sequences += batches * size.getValue();
    }
    return sequences;
  }

  /** The last batch that the initial weights govern. */
  public long firstEnd() {
    return every == 0 ? Long.MAX_VALUE : every + lag;
  }
}
