package io.sluice.control.domain;

/**
 * Where a domain's corpus ends now.
 *
 * @param records in the corpus, the end marker included; at most so many where a refinery writes
 *     it, whose transactions leave marks among them
 * @param marked whether the last of them is an end marker, so that no document follows
 */
public record CorpusEnd(long records, boolean marked) {
  /** A corpus in which nothing was written. */
  public static final CorpusEnd EMPTY = new CorpusEnd(0, false);

  /** Documents in the corpus, those that cannot be used included; a range of a file is one. */
  public long documents() {
    return marked ? records - 1 : records;
  }
}
