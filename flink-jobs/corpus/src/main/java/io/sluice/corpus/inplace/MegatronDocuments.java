package io.sluice.corpus.inplace;

import io.sluice.corpus.tokens.MegatronIndex;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Documents as an index of Megatron has them; rows share a token with the one before. */
final class MegatronDocuments implements Documents {
  private final MegatronIndex index;
  private final int width;
  private long document;
  private long sequence;
  private long end;
  private long place;

  /** The documents of a file. Closes the index. */
  MegatronDocuments(MegatronIndex index) {
    this.index = index;
    this.width = index.type().bytes();
  }

  @Override
  public void addTo(RowParts parts, ByteBuffer tokens) throws IOException {
    long at = place;
    long last = place + tokens.remaining() / width;
    while (at < last) {
      while (end <= at) {
        goOn();
      }
      long next = Math.min(end, last);
      parts.add((int) (next - at), document);
      at = next;
    }
    place = last - 1;
  }

  private void goOn() throws IOException {
    document++;
    long until = index.end(document, sequence);
    for (; sequence < until; sequence++) {
      end += index.length(sequence);
    }
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
