package io.sluice.refine.twin;

import org.jspecify.annotations.Nullable;

/**
 * Where {@link Twins} keeps documents: by their numbers, and the numbers of those that share a
 * hash. It has all that Twins know, so that whoever restores it goes on as before. Not for several
 * threads.
 */
public interface TwinTable {
  /**
   * Which documents are in the table.
   *
   * @param first the number of the oldest
   * @param next the number that the next one gets
   */
  record Span(long first, long next) {
    /** Of a table without documents. */
    public static final Span EMPTY = new Span(0, 0);

    public Span {
      if (first < 0 || next < first) {
        throw new IllegalArgumentException(
            "documents' numbers must ascend from 0: found " + first + " to " + next);
      }
    }
  }

  /** What was put last; {@link Span#EMPTY} at first. */
  Span span();

  void putSpan(Span span);

  /** The document of a number as it was put, or null. */
  byte @Nullable [] document(long number);

  void putDocument(long number, byte[] document);

  void removeDocument(long number);

  /**
   * The numbers of documents at a band's hash, as they were put; none at first.
   *
   * @param band from 0; one more than there are has the hashes of texts
   */
  long[] numbers(int band, long hash);

  /** Puts numbers, no more than {@link Twins} are told; an empty array removes what is there. */
  void putNumbers(int band, long hash, long[] numbers);
}
