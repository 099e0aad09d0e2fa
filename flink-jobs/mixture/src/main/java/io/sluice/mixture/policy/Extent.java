package io.sluice.mixture.policy;

import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A stretch of a run in batches or in sequences.
 *
 * @param count at least 1
 * @param inSequences whether it counts sequences instead of batches
 */
public record Extent(long count, boolean inSequences) {
  /** How an extent is written, for messages. */
  static final String ALLOWED =
      "a whole number of batches or of sequences, such as '5000 batches' or '4M sequences', from 1"
          + " to 2^52";

  private static final Pattern FORM =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,15})?)([kMGBT]?)(?: *(batches|sequences))?");
  private static final Map<String, Integer> ZEROS = Map.of("k", 3, "M", 6, "G", 9, "B", 9, "T", 12);
  private static final BigDecimal MOST = BigDecimal.valueOf(1L << 52);

  /**
   * From a text like {@code 5000}, {@code 5000 batches} or {@code 4M sequences}.
   *
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  static Extent parse(String path, String text) {
    Matcher form = FORM.matcher(text.strip());
    if (form.matches()) {
      int zeros = ZEROS.getOrDefault(form.group(2), 0);
      BigDecimal count = new BigDecimal(form.group(1)).scaleByPowerOfTen(zeros);
      boolean whole = count.stripTrailingZeros().scale() <= 0;
      if (whole && count.signum() > 0 && count.compareTo(MOST) <= 0) {
        return new Extent(count.longValueExact(), "sequences".equals(form.group(3)));
      }
    }
    throw new IllegalArgumentException(path + " must be " + ALLOWED + ": '" + text + "'");
  }

  /** The last of the batches, from the first of a run, that this stretch reaches into. */
  public long lastBatch(Cadence cadence) {
    if (!inSequences) {
      return count;
    }
    long low = 1;
    long high = 1;
    while (cadence.sequencesIn(high) < count) {
      low = high + 1;
      high *= 2;
    }
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (cadence.sequencesIn(middle) >= count) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
