package io.sluice.refine.bucket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * What share of a weight lies at or below any value, of a stream of values with weights, in at most
 * {@value #MOST_ENTRIES} entries. The same stream gives the same bytes. Not thread-safe.
 *
 * <p>The summary of Greenwald and Khanna (2001), "Space-Efficient Online Computation of Quantile
 * Summaries", with weights. Entries ascend by value; entry {@code i} has {@code g_i}, the least
 * weight between the entry before and itself, itself included, and {@code u_i}, how much may lie
 * strictly between. With {@code R(x)} the weight at or below {@code x}:
 *
 * <pre>
 * g_1 + ... + g_i &lt;= R(x) &lt;= g_1 + ... + g_i + u_(i+1)    for v_i &lt;= x &lt; v_(i+1)
 * </pre>
 *
 * <p>A new value takes over the {@code u} of the entry behind it. An entry that is dropped gives
 * its {@code g} to {@code g} and {@code u} of the one behind it, where that one's {@code u} stays
 * within a bound. All {@code g} and {@code u} are exact whole numbers, so that {@link #error}, half
 * the largest {@code u} as a share, holds for every stream.
 *
 * <p>Known difference: their bound is a given share, and the number of entries follows. Here the
 * number is bounded; the bound on {@code u} is {@code 16 / }{@value #MOST_ENTRIES} of the weight,
 * an error of 0.2 %, and grows in steps of a sixteenth where that leaves more than three quarters
 * of the entries. With {@code 4 / }{@value #MOST_ENTRIES}, a million values that closed in on the
 * middle, from both sides in turn, made it grow to an error of 20 %.
 *
 * <p>Why not the sketches of Apache DataSketches: their KLL draws from an unseeded source that
 * nobody else can set, REQ takes no weights, and t-digest has neither weights in its interface nor
 * a bound on its error.
 */
public final class QuantileSketch {
  /** How many entries there are at most. */
  public static final int MOST_ENTRIES = 4096;

  /** Largest weight of a value. */
  public static final long HEAVIEST = 1L << 40;

  private final double[] values = new double[MOST_ENTRIES];
  private final long[] weights = new long[MOST_ENTRIES];
  private final long[] unsure = new long[MOST_ENTRIES];
  private int size;
  private long total;
  private long bound;

  /**
   * Takes a value.
   *
   * @param value finite
   * @param weight from 1 to {@link #HEAVIEST}
   * @throws IllegalArgumentException if either is not
   */
  public void add(double value, long weight) {
    if (!Double.isFinite(value) || weight < 1 || weight > HEAVIEST) {
      throw new IllegalArgumentException(
          "a value must be finite, and its weight from 1 to "
              + HEAVIEST
              + ": found "
              + value
              + " and "
              + weight);
    }
    total = Math.addExact(total, weight);
    // There is only one 0.
    double plain = value + 0.0;
    int found = Arrays.binarySearch(values, 0, size, plain);
    if (found >= 0) {
      weights[found] += weight;
      return;
    }
    insert(-found - 1, plain, weight);
    if (size == MOST_ENTRIES) {
      compress();
    }
  }

  private void insert(int place, double value, long weight) {
    int behind = size - place;
    System.arraycopy(values, place, values, place + 1, behind);
    System.arraycopy(weights, place, weights, place + 1, behind);
    System.arraycopy(unsure, place, unsure, place + 1, behind);
    values[place] = value;
    weights[place] = weight;
    unsure[place] = behind == 0 ? 0 : unsure[place + 1];
    size++;
  }

  private void compress() {
    bound = Math.max(bound, total / (MOST_ENTRIES / 16));
    merge();
    while (size > MOST_ENTRIES - MOST_ENTRIES / 4) {
      bound += bound / 16 + 1;
      merge();
    }
  }

  /** From the last entry on, so that the largest value stays. */
  private void merge() {
    int kept = size - 1;
    for (int i = size - 2; i >= 0; i--) {
      if (weights[i] <= bound - unsure[kept]) {
        weights[kept] += weights[i];
        unsure[kept] += weights[i];
      } else {
        kept--;
        values[kept] = values[i];
        weights[kept] = weights[i];
        unsure[kept] = unsure[i];
      }
    }
    size -= kept;
    System.arraycopy(values, kept, values, 0, size);
    System.arraycopy(weights, kept, weights, 0, size);
    System.arraycopy(unsure, kept, unsure, 0, size);
  }

  /** All weight. */
  public long total() {
    return total;
  }

  /** By how much, as a share of all weight, a {@link #share} may be wrong. */
  public double error() {
    long largest = 0;
    for (int i = 0; i < size; i++) {
      largest = Math.max(largest, unsure[i]);
    }
    return total == 0 ? 0 : largest / 2.0 / total;
  }

  /** What share of the weight lies at or below a value, about; 0 of none. */
  public double share(double value) {
    int i = 0;
    long below = 0;
    while (i < size && values[i] <= value) {
      below += weights[i++];
    }
    return total == 0 ? 0 : (below + (i < size ? unsure[i] / 2.0 : 0)) / total;
  }

  /**
   * The lowest values at or below which lie these shares of the weight, about.
   *
   * @param shares ascending, from 0 to 1
   * @throws IllegalStateException if there is no value
   */
  public double[] quantiles(double... shares) {
    if (size == 0) {
      throw new IllegalStateException("there are no quantiles of no values");
    }
    double[] quantiles = new double[shares.length];
    int i = 0;
    long upTo = weights[0];
    for (int k = 0; k < shares.length; k++) {
      while (i < size - 1 && upTo + unsure[i + 1] / 2.0 < shares[k] * total) {
        upTo += weights[++i];
      }
      quantiles[k] = values[i];
    }
    return quantiles;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(bound);
    out.writeInt(size);
    for (int i = 0; i < size; i++) {
      out.writeDouble(values[i]);
      out.writeLong(weights[i]);
      out.writeLong(unsure[i]);
    }
  }

  static QuantileSketch read(DataInputStream in) throws IOException {
    QuantileSketch read = new QuantileSketch();
    read.bound = in.readLong();
    read.size = in.readInt();
    require(read.bound >= 0 && read.size >= 0 && read.size < MOST_ENTRIES);
    for (int i = 0; i < read.size; i++) {
      read.values[i] = in.readDouble();
      read.weights[i] = in.readLong();
      read.unsure[i] = in.readLong();
      require(Double.isFinite(read.values[i]) && (i == 0 || read.values[i - 1] < read.values[i]));
      require(read.weights[i] >= 1 && read.weights[i] <= Long.MAX_VALUE - read.total);
      require(read.unsure[i] >= 0 && read.unsure[i] <= read.bound);
      read.total += read.weights[i];
    }
    return read;
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("what was kept of a quantile sketch is damaged");
    }
  }
}
