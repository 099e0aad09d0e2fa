package io.sluice.refine.twin;

import io.sluice.control.error.BadInputException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Tells of each document of a stream whether one like it may have come before, in memory that is
 * fixed at the start: a Bloom filter for each band, and one for the hashes of texts, about 50 bytes
 * a document in all.
 *
 * <p>What differs from {@link Twins}: candidates cannot be verified, so that every document that
 * shares a band with an earlier one is dropped, as {@link SignatureScheme#candidates} has it (with
 * the default scheme one of seven pairs of similarity 0.5); which document it was is not known;
 * nothing is forgotten; and documents are dropped that share nothing, at the rate that {@link
 * #falseDrops()} gives, which passes the rate asked for when there are more documents than
 * expected. Not for several threads.
 */
public final class FilteredTwins {
  private static final byte VERSION = 1;
  private static final int HEAD = 4 + 3 * Long.BYTES + Integer.BYTES;
  private static final int MOST_PROBES = 40;
  private static final long MOST_BITS = 1L << 36;

  private final SignatureScheme scheme;
  private final long expected;
  private final long bits;
  private final int probes;
  private final BandFilter[] filters;
  private long added;

  private FilteredTwins(SignatureScheme scheme, long expected, long bits, int probes, long added) {
    this.scheme = scheme;
    this.expected = expected;
    this.bits = bits;
    this.probes = probes;
    this.added = added;
    this.filters = new BandFilter[scheme.bands() + 1];
    Arrays.setAll(filters, band -> new BandFilter(bits, probes));
  }

  /**
   * Filters without documents.
   *
   * @param documents that are expected, dropped ones not counted, 1 or more
   * @param falseDrops share of documents without a candidate that may be dropped once that many are
   *     there, from 0.000001 to 0.5
   * @throws BadInputException if a number is out of its range, or the filter of a band would have
   *     more than 8 GiB
   */
  public static FilteredTwins of(SignatureScheme scheme, long documents, double falseDrops) {
    if (documents < 1) {
      throw new BadInputException("filters must expect 1 document or more: found " + documents);
    }
    if (!(falseDrops >= 1e-6 && falseDrops <= 0.5)) {
      throw new BadInputException(
          "the rate of false drops must be 0.000001 to 0.5: found " + falseDrops);
    }
    // Each of the filters may be wrong once.
    double rate = -Math.expm1(Math.log1p(-falseDrops) / (scheme.bands() + 1));
    double each = -Math.log(rate) / (Math.log(2) * Math.log(2));
    if (each * documents > MOST_BITS) {
      throw new BadInputException(
          "the filter of a band must have at most %d bits: found %.0f for %d documents at a rate of %s"
              .formatted(MOST_BITS, each * documents, documents, falseDrops));
    }
    long bits = ((long) (each * documents) / 64 + 1) * 64;
    int probes = (int) Math.max(1, Math.min(MOST_PROBES, Math.round(each * Math.log(2))));
    return new FilteredTwins(scheme, documents, bits, probes, 0);
  }

  /**
   * Goes on with filters that were written.
   *
   * @param chunks by number, from 0, as {@link #chunk} gave them
   * @throws BadInputException if they are not of this version, or do not fit each other
   */
  public static FilteredTwins restored(IntFunction<byte[]> chunks) {
    byte[] first = chunks.apply(0);
    if (first.length != HEAD || first[0] != VERSION) {
      throw refused(0, HEAD, first);
    }
    ByteBuffer head = ByteBuffer.wrap(first, 1, HEAD - 1);
    SignatureScheme scheme = new SignatureScheme(head.get(), head.get(), head.get());
    long expected = head.getLong();
    long added = head.getLong();
    long bits = head.getLong();
    int probes = head.getInt();
    if (bits < 64 || bits > MOST_BITS + 64 || bits % 64 != 0) {
      throw new BadInputException(
          "filters of twins must have up to %d bits, in words of 64: found %d"
              .formatted(MOST_BITS, bits));
    }
    if (expected < 1 || added < 0 || probes < 1 || probes > MOST_PROBES) {
      throw new BadInputException(
          "filters of twins must expect documents, and probe 1 to %d times: found %d, %d, %d"
              .formatted(MOST_PROBES, expected, added, probes));
    }
    FilteredTwins restored = new FilteredTwins(scheme, expected, bits, probes, added);
    for (int chunk = 1; chunk < restored.chunks(); chunk++) {
      restored.read(chunk, chunks.apply(chunk));
    }
    return restored;
  }

  /** Whether a document may have a twin; if not, it is added. */
  public boolean add(Signature signature) {
    if (!signature.scheme().equals(scheme)) {
      throw new IllegalArgumentException(
          "signatures must be of " + scheme + ": found " + signature.scheme());
    }
    long[] hashes = hashes(signature);
    int first = filters.length - hashes.length;
    for (int i = 0; i < hashes.length; i++) {
      if (filters[first + i].has(hashes[i])) {
        return true;
      }
    }
    for (int i = 0; i < hashes.length; i++) {
      filters[first + i].add(hashes[i]);
    }
    added++;
    return false;
  }

  /** How signatures must be made. */
  public SignatureScheme scheme() {
    return scheme;
  }

  /** Documents that were added. */
  public long added() {
    return added;
  }

  /** Documents that the filters were made for. */
  public long expected() {
    return expected;
  }

  /** Bytes of all filters. */
  public long bytes() {
    return bits / 8 * filters.length;
  }

  /** Share of bits that are set, in the fullest filter; a half when as many came as expected. */
  public double fill() {
    return Arrays.stream(filters).mapToDouble(BandFilter::fill).max().orElse(0);
  }

  /** Probability that the next document is dropped though it shares nothing with an earlier one. */
  public double falseDrops() {
    double kept = 1;
    for (BandFilter filter : filters) {
      kept *= 1 - filter.falsePositives();
    }
    return 1 - kept;
  }

  /** Number of chunks that hold all there is. */
  public int chunks() {
    return 1 + filters.length * filters[0].pages();
  }

  /**
   * A chunk of the state, to be kept until it is restored: the first has the numbers, each other up
   * to 1 MiB of a filter, in bytes from high to low, after a byte with the version.
   */
  public byte[] chunk(int chunk) {
    if (chunk == 0) {
      return ByteBuffer.allocate(HEAD)
          .put(VERSION)
          .put((byte) scheme.words())
          .put((byte) scheme.bands())
          .put((byte) scheme.rows())
          .putLong(expected)
          .putLong(added)
          .putLong(bits)
          .putInt(probes)
          .array();
    }
    ByteBuffer out = ByteBuffer.allocate(1 + filter(chunk).pageBytes(page(chunk))).put(VERSION);
    filter(chunk).write(page(chunk), out);
    return out.array();
  }

  private void read(int chunk, byte[] bytes) {
    int length = 1 + filter(chunk).pageBytes(page(chunk));
    if (bytes.length != length || bytes[0] != VERSION) {
      throw refused(chunk, length, bytes);
    }
    filter(chunk).read(page(chunk), ByteBuffer.wrap(bytes, 1, length - 1).slice().asLongBuffer());
  }

  private BandFilter filter(int chunk) {
    return filters[(chunk - 1) / filters[0].pages()];
  }

  private int page(int chunk) {
    return (chunk - 1) % filters[0].pages();
  }

  /** The text's hash last; texts without words have that alone. */
  private long[] hashes(Signature signature) {
    long[] hashes = new long[signature.hasWords() ? filters.length : 1];
    for (int band = 0; band < hashes.length - 1; band++) {
      hashes[band] = signature.band(band);
    }
    hashes[hashes.length - 1] = signature.text();
    return hashes;
  }

  private static BadInputException refused(int chunk, int length, byte[] found) {
    return new BadInputException(
        "chunk %d of the filters of twins must be of version %d and have %d bytes: found %s"
            .formatted(
                chunk,
                VERSION,
                length,
                found.length == 0 ? "none" : found[0] + ", " + found.length));
  }
}
