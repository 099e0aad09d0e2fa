package io.sluice.corpus.tokens;

import io.sluice.corpus.file.StoredFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The {@code .idx} file of one of Megatron's indexed datasets. See {@code
 * megatron/core/datasets/indexed_dataset.py} for the format: {@code MMIDIDX\0\0}, version 1 (8
 * bytes), type (1), number of sequences and of document bounds (8 each), lengths of the sequences
 * (4 each), their places in bytes (8 each), and the bounds (8 each), by sequences, from 0 to all.
 * Sequences are counted from 0, documents from 1.
 */
public final class MegatronIndex implements Closeable {
  private static final byte[] MAGIC = {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0};
  private static final int HEADER = MAGIC.length + 8 + 1 + 8 + 8;
  private static final int AHEAD = 64 << 10;

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

  private final FileWindow lengths;
  private final FileWindow places;
  private final FileWindow bounds;
  private TokenType type = TokenType.UINT16;
  private long sequences;
  private long documents;

  private MegatronIndex(StoredFile index) throws IOException {
    this.lengths = new FileWindow(index, AHEAD);
    this.places = new FileWindow(index, AHEAD);
    this.bounds = new FileWindow(index, AHEAD);
  }

  /**
   * Opens an index.
   *
   * @throws IOException if it cannot be read, or is none
   */
  public static MegatronIndex open(StoredFile index) throws IOException {
    MegatronIndex result = new MegatronIndex(index);
    try {
      result.readHeader();
      return result;
    } catch (IOException e) {
      result.close();
      throw e;
    }
  }

  /** The file of ids that belongs to an index. */
  public static StoredFile ids(StoredFile index) throws IOException {
    return index.beside(index.name().replaceFirst("(?i)\\.idx$", "") + ".bin");
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
    if (boundAt(0) != 0 || boundAt(documents) != sequences) {
      throw new IOException(
          "the bounds of documents must go from 0 to " + sequences + ", the sequences");
    }
  }

  /** Type of the ids. */
  public TokenType type() {
    return type;
  }

  /** How many documents there are. */
  public long documents() {
    return documents;
  }

  /** How many sequences there are. */
  public long sequences() {
    return sequences;
  }

  /**
   * The sequence behind a document's last.
   *
   * @param first the document's first
   * @throws IOException if the document cannot end there
   */
  public long end(long document, long first) throws IOException {
    long end = boundAt(document);
    if (end < first || end > sequences) {
      throw new IOException(
          String.format(
              "document %d must end with a sequence in [%d, %d]: found %d",
              document, first, sequences, end));
    }
    return end;
  }

  private long boundAt(long bound) throws IOException {
    return bounds.longAt(HEADER + 12 * sequences + 8 * bound);
  }

  /** How many ids a sequence says that it has; negative if it is wrong. */
  public int length(long sequence) throws IOException {
    return lengths.intAt(HEADER + 4 * sequence);
  }

  /** Where a sequence says that its first byte is. */
  public long place(long sequence) throws IOException {
    return places.longAt(HEADER + 4 * sequences + 8 * sequence);
  }

  @Override
  public void close() throws IOException {
    try (lengths;
        places) {
      bounds.close();
    }
  }
}
