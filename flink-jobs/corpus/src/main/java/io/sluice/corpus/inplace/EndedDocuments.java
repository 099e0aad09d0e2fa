package io.sluice.corpus.inplace;

import java.nio.ByteBuffer;

/** Documents each of which ends with a token; rows share a token with the one before. */
final class EndedDocuments implements Documents {
  private final int width;
  private final long end;
  private long number = 1;

  /**
   * The documents of a file.
   *
   * @param width bytes of a token
   * @param end the last token of each
   */
  EndedDocuments(int width, long end) {
    this.width = width;
    this.end = end;
  }

  @Override
  public void addTo(RowParts parts, ByteBuffer tokens) {
    int count = tokens.remaining() / width;
    int first = 0;
    for (int i = 0; i < count - 1; i++) {
      if (Ids.at(tokens, i, width) == end) {
        parts.add(i + 1 - first, number);
        first = i + 1;
        number++;
      }
    }
    // The last token is the next row's first.
    parts.add(count - first, number);
  }
}
