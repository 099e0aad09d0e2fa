package io.sluice.control.runs;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Quantity;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/**
 * How many sequences each batch of a run holds, as its file says it: one size, or a list of sizes,
 * each from a batch on or from a number of tokens that have been seen. Sizes are in sequences or in
 * tokens.
 */
final class BatchSizeSection {
  private static final long MOST = Long.MAX_VALUE;
  private static final int MAX_BATCH = 1 << 20;

  private final IntSupplier sequenceLength;
  private final NavigableMap<Long, Integer> sizes = new TreeMap<>();

  private BatchSizeSection(IntSupplier sequenceLength) {
    this.sequenceLength = sequenceLength;
  }

  /**
   * First batch, from 1, to sequences per batch from there on.
   *
   * @param sequenceLength tokens per sequence; asked only where the file speaks of tokens
   */
  static NavigableMap<Long, Integer> read(ConfigSection root, IntSupplier sequenceLength) {
    BatchSizeSection schedule = new BatchSizeSection(sequenceLength);
    if (!root.isList("batch")) {
      schedule.sizes.put(1L, schedule.size(root, "batch"));
      return schedule.sizes;
    }
    for (ConfigSection step : root.sections("batch")) {
      schedule.add(step);
    }
    return schedule.sizes;
  }

  private void add(ConfigSection step) {
    Quantity from = step.quantity("from", List.of("", "batch", "batches", "tokens"), 0, MOST);
    long first = from.unit().equals("tokens") ? firstAfter(from.value()) : from.value();
    long last = sizes.isEmpty() ? 0 : sizes.lastKey();
    if (first <= last) {
      throw step.invalid(
          "from", "after batch " + last + ", where the size before begins", "batch " + first);
    }
    sizes.put(first, size(step, "size"));
    step.requireNoOther();
  }

  /** The first batch that begins when so many tokens have been seen. */
  private long firstAfter(long tokens) {
    if (sizes.isEmpty()) {
      return tokens == 0 ? 1 : 2;
    }
    long length = sequenceLength.getAsInt();
    long left = tokens;
    for (Map.Entry<Long, Integer> step : sizes.entrySet()) {
      long from = step.getKey();
      Long next = sizes.higherKey(from);
      long each = step.getValue() * length;
      if (next == null || left <= (next - from) * each) {
        return from + (left + each - 1) / each;
      }
      left -= (next - from) * each;
    }
    throw new IllegalStateException("the last size has no end");
  }

  private int size(ConfigSection section, String key) {
    Quantity size = section.quantity(key, List.of("sequences", "tokens"), 1, MOST);
    long sequences = size.value();
    if (size.unit().equals("tokens")) {
      long length = sequenceLength.getAsInt();
      sequences = size.value() / length;
      if (size.value() % length != 0) {
        String above = (sequences + 1) * length + " tokens";
        throw section.invalid(
            key,
            "whole sequences of "
                + length
                + " tokens, such as "
                + (sequences == 0 ? above : sequences * length + " or " + above),
            size.value() + " tokens");
      }
    }
    if (sequences > MAX_BATCH) {
      throw section.invalid(key, "at most " + MAX_BATCH + " sequences", sequences + " sequences");
    }
    return (int) sequences;
  }
}
