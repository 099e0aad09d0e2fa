package io.sluice.refine.bucket;

import io.sluice.mixture.state.VersionedBytes;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Buckets of equal tokens of a stream of documents, in the order of a value such as perplexity:
 * Llama-3-SynE, section 4.1.2, has ten, as steps of a curriculum. Not thread-safe. The same
 * documents in the same order give the same buckets, borders and bytes.
 *
 * <p>The paper sorts what it has; a stream is not there yet. Borders are therefore decided after
 * some documents, and judged again each time the tokens have grown by a factor: they move if some
 * bucket's share of all tokens so far is too far from an equal one. A document stays where it came
 * to lie. Where values drift, shares of tokens in buckets are thus equal only for what came up to a
 * decision, by its borders; {@link #tokens} says what lies in each one.
 *
 * <p>Before the first borders a document goes to the bucket of its rank among those before it, the
 * very first one into the middle.
 */
public final class Buckets {
  private static final int VERSION = 1;
  private static final String WHAT = "state of buckets";

  private final BucketSettings settings;
  private final QuantileSketch sketch;
  private final long[] tokens;
  private double[] borders = {};
  private long documents;

  /** At so many tokens the borders are judged again. */
  private long judgedAt;

  /** Nothing was counted. */
  public Buckets(BucketSettings settings) {
    this(settings, new QuantileSketch());
  }

  private Buckets(BucketSettings settings, QuantileSketch sketch) {
    this.settings = settings;
    this.sketch = sketch;
    this.tokens = new long[settings.buckets()];
  }

  /**
   * Goes on where the one that gave the {@link #snapshot} stopped.
   *
   * @throws IllegalArgumentException if it had another number of buckets, or the bytes are damaged
   * @throws java.io.UncheckedIOException if they are cut
   */
  public static Buckets restored(BucketSettings settings, byte[] snapshot) {
    return VersionedBytes.read(WHAT, VERSION, snapshot, in -> read(settings, in));
  }

  private static Buckets read(BucketSettings settings, DataInputStream in) throws IOException {
    int buckets = in.readInt();
    if (buckets != settings.buckets()) {
      throw new IllegalArgumentException(
          WHAT + " must be of " + settings.buckets() + " buckets: found " + buckets);
    }
    long documents = in.readLong();
    long judgedAt = in.readLong();
    double[] borders = new double[in.readBoolean() ? buckets - 1 : 0];
    for (int i = 0; i < borders.length; i++) {
      borders[i] = in.readDouble();
      if (!Double.isFinite(borders[i]) || (i > 0 && borders[i - 1] > borders[i])) {
        throw new IllegalArgumentException(WHAT + " must have ascending borders");
      }
    }
    long[] tokens = new long[buckets];
    for (int i = 0; i < buckets; i++) {
      tokens[i] = in.readLong();
      if (tokens[i] < 0) {
        throw new IllegalArgumentException(WHAT + " must count no tokens below 0");
      }
    }
    Buckets read = new Buckets(settings, QuantileSketch.read(in));
    if (documents < 0 || judgedAt < 0 || Arrays.stream(tokens).sum() != read.sketch.total()) {
      throw new IllegalArgumentException(WHAT + " must count as many tokens as its sketch");
    }
    read.documents = documents;
    read.judgedAt = judgedAt;
    read.borders = borders;
    System.arraycopy(tokens, 0, read.tokens, 0, buckets);
    return read;
  }

  /** Everything that later decisions depend on; versioned; at most 100 KB. */
  public byte[] snapshot() {
    return VersionedBytes.write(
        VERSION,
        out -> {
          out.writeInt(settings.buckets());
          out.writeLong(documents);
          out.writeLong(judgedAt);
          out.writeBoolean(borders.length > 0);
          for (double border : borders) {
            out.writeDouble(border);
          }
          for (long count : tokens) {
            out.writeLong(count);
          }
          sketch.write(out);
        });
  }

  /** The bucket, from 0, of a document with this value, if it comes next. */
  public int of(double value) {
    if (borders.length == 0) {
      double rank = documents == 0 ? 0.5 : sketch.share(value);
      return Math.min(settings.buckets() - 1, (int) (rank * settings.buckets()));
    }
    int low = 0;
    int high = borders.length;
    while (low < high) {
      int middle = (low + high) / 2;
      if (value > borders[middle]) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Counts a document, which lies in the bucket that {@link #of} says before this.
   *
   * @param value finite
   * @param count tokens, from 1 to {@link QuantileSketch#HEAVIEST}
   * @return the decision, if that moved the borders
   * @throws IllegalArgumentException if either is not in range; nothing is counted then
   */
  public Optional<BordersMoved> add(double value, long count) {
    int bucket = of(value);
    sketch.add(value, count);
    tokens[bucket] += count;
    documents++;
    boolean due = borders.length == 0 ? documents >= settings.warmUp() : sketch.total() >= judgedAt;
    return due ? judged() : Optional.empty();
  }

  private Optional<BordersMoved> judged() {
    // The product may be beyond a long, and is the largest one then.
    judgedAt = (long) Math.ceil(sketch.total() * settings.growth());
    double deviation = deviation();
    if (borders.length > 0 && deviation <= settings.tolerance()) {
      return Optional.empty();
    }
    double[] decided = decided();
    if (Arrays.equals(decided, borders)) {
      // Many documents of the same value cannot be divided.
      return Optional.empty();
    }
    List<Double> before = borders();
    borders = decided;
    return Optional.of(new BordersMoved(documents, sketch.total(), before, borders(), deviation));
  }

  private double[] decided() {
    double[] shares = new double[settings.buckets() - 1];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (i + 1.0) / settings.buckets();
    }
    return sketch.quantiles(shares);
  }

  private double deviation() {
    double largest = 0;
    double below = 0;
    for (int i = 0; i <= borders.length && borders.length > 0; i++) {
      double upTo = i < borders.length ? sketch.share(borders[i]) : 1;
      largest = Math.max(largest, Math.abs((upTo - below) * settings.buckets() - 1));
      below = upTo;
    }
    return largest;
  }

  /** The borders, ascending; empty before the first ones. */
  public List<Double> borders() {
    return Arrays.stream(borders).boxed().toList();
  }

  /** How many tokens lie in a bucket, from 0. */
  public long tokens(int bucket) {
    return tokens[bucket];
  }
}
