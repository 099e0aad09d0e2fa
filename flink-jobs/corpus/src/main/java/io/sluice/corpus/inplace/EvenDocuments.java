package io.sluice.corpus.inplace;

import java.nio.ByteBuffer;

/** Documents of one length each. */
final class EvenDocuments implements Documents {
  private final int width;
  private final long length;
  private final int step;
  private long place;

  /**
   * The documents of a file.
   *
   * @param width bytes of a token
   * @param length tokens of each
   * @param step tokens from a row to the next
   */
  EvenDocuments(int width, long length, int step) {
    this.width = width;
    this.length = length;
    this.step = step;
  }

  @Override
  public void addTo(RowParts parts, ByteBuffer tokens) {
    long at = place;
    long end = place + tokens.remaining() / width;
    while (at < end) {
      long document = at / length;
      long next = Math.min(end, (document + 1) * length);
      parts.add((int) (next - at), document + 1);
      at = next;
    }
    place += step;
  }
}
