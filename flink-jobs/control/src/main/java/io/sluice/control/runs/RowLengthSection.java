package io.sluice.control.runs;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Quantity;
import io.sluice.schema.RowLength;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * How long the rows of a run's batches are, as its file says it: one length, or a list of lengths,
 * each from a batch on. Before the first one a row is a whole sequence of the dataset.
 */
final class RowLengthSection {
  static final String KEY = "sequence-length";

  private RowLengthSection() {}

  /**
   * The lengths of a file; none where rows are whole.
   *
   * @param sequenceLength tokens per sequence of the dataset; asked only where the file has lengths
   */
  static List<RowLength> read(ConfigSection root, IntSupplier sequenceLength) {
    if (!root.has(KEY)) {
      return List.of();
    }
    if (!root.isList(KEY)) {
      int labels = length(root, KEY, sequenceLength);
      return labels == sequenceLength.getAsInt() ? List.of() : List.of(new RowLength(1L, labels));
    }
    List<RowLength> lengths = new ArrayList<>();
    for (ConfigSection step : root.sections(KEY)) {
      long last = lengths.isEmpty() ? 0 : lengths.get(lengths.size() - 1).getFromBatch();
      Quantity from = step.quantity("from", List.of("", "batch", "batches"), 0, Long.MAX_VALUE);
      if (from.value() <= last) {
        throw step.invalid(
            "from",
            "after batch " + last + ", where the length before begins",
            "batch " + from.value());
      }
      lengths.add(new RowLength(from.value(), length(step, "length", sequenceLength)));
      step.requireNoOther();
    }
    return lengths;
  }

  private static int length(ConfigSection section, String key, IntSupplier sequenceLength) {
    long labels = section.quantity(key, List.of("", "tokens"), 1, Integer.MAX_VALUE).value();
    int whole = sequenceLength.getAsInt();
    if (labels > whole || whole % labels != 0) {
      throw section.invalid(
          key,
          "1 to " + whole + " tokens, a divisor of the dataset's " + whole,
          labels + " tokens");
    }
    return (int) labels;
  }
}
