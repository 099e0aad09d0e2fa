package io.sluice.corpus.tokens;

import io.sluice.corpus.file.StoredFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Documents of Megatron's indexed datasets: a {@link MegatronIndex}, and the {@code .bin} file
 * beside it that holds the ids. A document's sequences are put together.
 */
final class MegatronTokens implements TokenFile {
  private static final int IDS_AHEAD = 1 << 20;

  private final TokenLayout layout;
  private final MegatronIndex index;
  private final FileWindow ids;
  private long document;
  private long sequence;

  private MegatronTokens(MegatronIndex index, FileWindow ids, TokenLayout layout) {
    this.layout = layout;
    this.index = index;
    this.ids = ids;
  }

  /** Opens an {@code .idx} file and the {@code .bin} file of the same name. */
  static MegatronTokens open(StoredFile file, TokenLayout layout) throws IOException {
    FileWindow ids = new FileWindow(MegatronIndex.ids(file), IDS_AHEAD);
    try {
      return new MegatronTokens(MegatronIndex.open(file), ids, layout);
    } catch (IOException e) {
      ids.close();
      throw e;
    }
  }

  @Override
  public @Nullable TokenRow next() throws IOException {
    if (document == index.documents()) {
      return null;
    }
    document++;
    long first = sequence;
    long end = index.end(document, first);
    sequence = end;
    return row(first, end);
  }

  @Override
  public double done() {
    return index.documents() == 0 ? 1 : (double) document / index.documents();
  }

  @Override
  public void close() throws IOException {
    try (index) {
      ids.close();
    }
  }

  private TokenRow row(long first, long end) throws IOException {
    TokenType type = index.type();
    long bytes = 0;
    for (long each = first; each < end; each++) {
      long count = index.length(each);
      long place = index.place(each);
      long size = count * type.bytes();
      if (count < 0 || place < 0 || place > ids.size() - size) {
        return TokenRow.refused(
            document,
            type,
            String.format(
                "sequence %d has %d ids from byte %d on, and the .bin file %d bytes",
                each, count, place, ids.size()));
      }
      bytes += size;
      if (bytes > layout.largest()) {
        return TokenRow.refused(document, type, layout.tooLarge(bytes));
      }
    }
    byte[] tokens = new byte[(int) bytes];
    int filled = 0;
    for (long each = first; each < end; each++) {
      int size = index.length(each) * type.bytes();
      ids.read(index.place(each), tokens, filled, size);
      filled += size;
    }
    return TokenRow.of(document, type, tokens);
  }
}
