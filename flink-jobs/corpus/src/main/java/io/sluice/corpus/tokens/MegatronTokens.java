package io.sluice.corpus.tokens;

import io.sluice.corpus.file.StoredFile;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Documents of Megatron's indexed datasets: an {@code .idx} file, and the {@code .bin} file beside
 * it that holds the ids. A document's sequences are put together. See {@code
 * megatron/core/datasets/indexed_dataset.py} for the format: {@code MMIDIDX\0\0}, version 1 (8
 * bytes), type (1), number of sequences and of document bounds (8 each), lengths of the sequences
 * (4 each), their places in bytes (8 each), and the bounds (8 each), by sequences, from 0 to all.
 */
final class MegatronTokens implements TokenFile {
  private static final byte[] MAGIC = {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0};
  private static final int HEADER = MAGIC.length + 8 + 1 + 8 + 8;
  private static final int INDEX_AHEAD = 64 << 10;
  private static final int IDS_AHEAD = 1 << 20;

  /** By the code of the file, from 1; floating point has none. */
  private static final @Nullable TokenType[] TYPES = {
    TokenType.UINT8,
    TokenType.INT8,
    TokenType.INT16,
    TokenType.INT32,
    TokenType.INT64,
    null,
    null,
    TokenType.UINT16
  };

  private final TokenLayout layout;
  private final FileWindow lengths;
  private final FileWindow places;
  private final FileWindow bounds;
  private final FileWindow ids;
  private TokenType type = TokenType.UINT16;
  private long sequences;
  private long documents;
  private long document;
  private long sequence;

  private MegatronTokens(StoredFile index, TokenLayout layout) throws IOException {
    this.layout = layout;
    this.lengths = new FileWindow(index, INDEX_AHEAD);
    this.places = new FileWindow(index, INDEX_AHEAD);
    this.bounds = new FileWindow(index, INDEX_AHEAD);
    String name = index.name();
    this.ids =
        new FileWindow(index.beside(name.replaceFirst("(?i)\\.idx$", "") + ".bin"), IDS_AHEAD);
  }

  /** Opens an {@code .idx} file and the {@code .bin} file of the same name. */
  static MegatronTokens open(StoredFile index, TokenLayout layout) throws IOException {
    MegatronTokens result = new MegatronTokens(index, layout);
    try {
      result.readHeader();
      return result;
    } catch (IOException e) {
      result.close();
      throw e;
    }
  }

  @Override
  public @Nullable TokenRow next() throws IOException {
    if (document == documents) {
      return null;
    }
    document++;
    long first = sequence;
    long end = bounds.longAt(boundAt(document));
    if (end < first || end > sequences) {
      throw new IOException(
          String.format(
              "document %d must end with a sequence in [%d, %d]: found %d",
              document, first, sequences, end));
    }
    sequence = end;
    return row(first, end);
  }

  @Override
  public double done() {
    return documents == 0 ? 1 : (double) document / documents;
  }

  @Override
  public void close() throws IOException {
    try (lengths;
        places;
        bounds) {
      ids.close();
    }
  }

  private void readHeader() throws IOException {
    byte[] header = new byte[HEADER];
    lengths.read(0, header, 0, HEADER);
    if (!Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IOException("not an index of Megatron: it does not begin with MMIDIDX");
    }
    long version = lengths.longAt(MAGIC.length);
    if (version != 1) {
      throw new IOException("the index must have version 1: found " + version);
    }
    int code = header[MAGIC.length + 8];
    TokenType known = code >= 1 && code <= TYPES.length ? TYPES[code - 1] : null;
    if (known == null) {
      throw new IOException("the index must name a type of whole numbers: found code " + code);
    }
    type = known;
    sequences = lengths.longAt(HEADER - 16);
    long all = lengths.longAt(HEADER - 8);
    long most = lengths.size() / Integer.BYTES;
    boolean possible = sequences >= 0 && sequences <= most && all >= 1 && all <= most;
    long bare = possible ? HEADER + 12 * sequences + 8 * all : -1;
    // Datasets of several modes have a byte more for each sequence.
    if (lengths.size() != bare && lengths.size() != bare + sequences) {
      throw new IOException(
          String.format(
              "the index has %d bytes, and says that it has %d sequences and %d bounds of"
                  + " documents",
              lengths.size(), sequences, all));
    }
    documents = all - 1;
    if (bounds.longAt(boundAt(0)) != 0 || bounds.longAt(boundAt(documents)) != sequences) {
      throw new IOException(
          "the bounds of documents must go from 0 to " + sequences + ", the sequences");
    }
  }

  private long boundAt(long bound) {
    return HEADER + 12 * sequences + 8 * bound;
  }

  private TokenRow row(long first, long end) throws IOException {
    long bytes = 0;
    for (long each = first; each < end; each++) {
      long count = lengths.intAt(HEADER + 4 * each);
      long place = places.longAt(HEADER + 4 * sequences + 8 * each);
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
      int size = lengths.intAt(HEADER + 4 * each) * type.bytes();
      ids.read(places.longAt(HEADER + 4 * sequences + 8 * each), tokens, filled, size);
      filled += size;
    }
    return TokenRow.of(document, type, tokens);
  }
}
