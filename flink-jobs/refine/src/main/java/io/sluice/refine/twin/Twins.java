package io.sluice.refine.twin;

import io.sluice.control.error.BadInputException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells of each document of a stream whether one like it came before, among the last ones that had
 * no twin themselves. The first one stays; of the others nothing is stored.
 *
 * <p>A document is compared with those that share a band with it, or the hash of its text, the
 * oldest first; it is a twin of the first whose estimated similarity is high enough. Documents are
 * numbered as they are stored, and forgotten by number, not by time, so that the same documents in
 * the same order give the same answers. A document costs 313 bytes with the default scheme, and at
 * most 17 at each of its 21 hashes: 670 in all, besides what the table needs for itself. All state
 * is in the table. Not for several threads.
 */
public final class Twins {
  /**
   * Documents at one hash, unless told otherwise; the oldest gives way. One that has lost its place
   * in a band is found by others.
   */
  public static final int MOST_NUMBERS = 16;

  /** The similarity that finds 99 % of the pairs of 0.8 with the default scheme. */
  public static final double DEFAULT_LEAST = 0.7;

  // More than one, so that a table that was kept for longer shrinks.
  private static final int MOST_FORGOTTEN = 2;

  private final SignatureScheme scheme;
  private final TwinTable table;
  private final double least;
  private final long keep;
  private final int most;

  /**
   * Goes on with what is in a table.
   *
   * @param least estimated similarity of twins, more than 0 and up to 1
   * @param keep documents that are remembered, 1 or more
   */
  public Twins(SignatureScheme scheme, TwinTable table, double least, long keep) {
    this(scheme, table, least, keep, MOST_NUMBERS);
  }

  /**
   * Goes on with what is in a table, with more documents at a hash.
   *
   * @param most documents at one hash, 1 or more
   */
  public Twins(SignatureScheme scheme, TwinTable table, double least, long keep, int most) {
    if (!(least > 0 && least <= 1)) {
      throw new BadInputException(
          "the least similarity of twins must be more than 0 and at most 1: found " + least);
    }
    if (keep < 1) {
      throw new BadInputException("twins must be kept of 1 document or more: found " + keep);
    }
    this.scheme = scheme;
    this.table = table;
    this.least = least;
    this.keep = keep;
    this.most = most;
  }

  /**
   * The twin of a document, or nothing, and the document is stored.
   *
   * @throws BadInputException if the table has documents of another scheme
   */
  public Optional<Twin> add(DocumentPlace place, Signature signature) {
    Optional<Twin> twin = find(signature);
    if (twin.isEmpty()) {
      remember(place, signature);
    }
    return twin;
  }

  /** The twin of a document, which is not stored. */
  public Optional<Twin> find(Signature signature) {
    if (!signature.scheme().equals(scheme)) {
      throw new IllegalArgumentException(
          "signatures must be of " + scheme + ": found " + signature.scheme());
    }
    long oldest = table.span().next() - keep;
    for (long number : candidates(signature)) {
      byte @Nullable [] document = number < oldest ? null : table.document(number);
      if (document != null) {
        Optional<Twin> twin = Remembered.read(scheme, document).twinOf(signature, least);
        if (twin.isPresent()) {
          return twin;
        }
      }
    }
    return Optional.empty();
  }

  private long[] candidates(Signature signature) {
    long[] found = {};
    for (int band = first(signature); band <= scheme.bands(); band++) {
      long[] here = table.numbers(band, hash(signature, band));
      int before = found.length;
      found = Arrays.copyOf(found, before + here.length);
      System.arraycopy(here, 0, found, before, here.length);
    }
    return Arrays.stream(found).sorted().distinct().toArray();
  }

  /** Stores a document, whether it has a twin or not. */
  public void remember(DocumentPlace place, Signature signature) {
    TwinTable.Span span = table.span();
    long number = span.next();
    long first = span.first();
    for (int i = 0; i < MOST_FORGOTTEN && first <= number - keep; i++) {
      forget(first++);
    }
    table.putSpan(new TwinTable.Span(first, number + 1));
    table.putDocument(number, new Remembered(place, signature).bytes());
    for (int band = first(signature); band <= scheme.bands(); band++) {
      long hash = hash(signature, band);
      table.putNumbers(band, hash, with(table.numbers(band, hash), number));
    }
  }

  private void forget(long number) {
    byte @Nullable [] document = table.document(number);
    if (document == null) {
      return;
    }
    Signature signature = Remembered.read(scheme, document).signature();
    for (int band = first(signature); band <= scheme.bands(); band++) {
      long hash = hash(signature, band);
      long[] numbers = table.numbers(band, hash);
      long[] left = Arrays.stream(numbers).filter(each -> each != number).toArray();
      if (left.length < numbers.length) {
        table.putNumbers(band, hash, left);
      }
    }
    table.removeDocument(number);
  }

  /** The first band that has a hash; texts without words have that of the text alone. */
  private int first(Signature signature) {
    return signature.hasWords() ? 0 : scheme.bands();
  }

  private long hash(Signature signature, int band) {
    return band < scheme.bands() ? signature.band(band) : signature.text();
  }

  private long[] with(long[] numbers, long number) {
    int from = numbers.length < most ? 0 : numbers.length - most + 1;
    long[] more = Arrays.copyOfRange(numbers, from, numbers.length + 1);
    more[more.length - 1] = number;
    return more;
  }
}
