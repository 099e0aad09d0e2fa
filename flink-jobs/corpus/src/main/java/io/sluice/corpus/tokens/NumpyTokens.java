package io.sluice.corpus.tokens;

import io.sluice.corpus.file.StoredFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a NumPy array: each row of two dimensions is one; an array of one dimension is
 * divided behind each end of a document.
 */
final class NumpyTokens implements TokenFile {
  private static final int CHUNK = 1 << 20;

  private final TokenLayout layout;
  private final FileWindow file;
  private final byte[] chunk = new byte[CHUNK];
  private final ByteBuffer chunkIds = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
  private TokenType type = TokenType.UINT16;
  private long rowBytes;
  private long place;
  private long number;

  private NumpyTokens(StoredFile stored, TokenLayout layout) throws IOException {
    this.layout = layout;
    this.file = new FileWindow(stored, CHUNK);
  }

  /** Opens an {@code .npy} file. */
  static NumpyTokens open(StoredFile file, TokenLayout layout) throws IOException {
    NumpyTokens result = new NumpyTokens(file, layout);
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
    if (place == file.size()) {
      return null;
    }
    number++;
    return rowBytes == 0 ? upToTheEnd() : row();
  }

  @Override
  public double done() {
    return (double) place / file.size();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private void readHeader() throws IOException {
    NumpyArray array = NumpyArray.of(file);
    type = array.type();
    place = array.begin();
    rowBytes = array.columns() * type.bytes();
  }

  private TokenRow row() throws IOException {
    if (rowBytes > layout.largest()) {
      place += rowBytes;
      return TokenRow.refused(number, type, layout.tooLarge(rowBytes));
    }
    byte[] tokens = new byte[(int) rowBytes];
    file.read(place, tokens, 0, tokens.length);
    place += tokens.length;
    return TokenRow.of(number, type, tokens);
  }

  private TokenRow upToTheEnd() throws IOException {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    long bytes = 0;
    boolean ended = false;
    while (!ended && place < file.size()) {
      // Small documents are found in small parts, and large ones in large parts.
      int most = (int) Math.min(Math.max(4096, Math.min(bytes, CHUNK)), file.size() - place);
      file.read(place, chunk, 0, most);
      int part = 0;
      while (!ended && part < most) {
        ended = type.read(chunkIds, part) == layout.endOfDocument();
        part += type.bytes();
      }
      bytes += part;
      place += part;
      if (bytes <= layout.largest()) {
        kept.write(chunk, 0, part);
      }
    }
    return bytes > layout.largest()
        ? TokenRow.refused(number, type, layout.tooLarge(bytes))
        : TokenRow.of(number, type, kept.toByteArray());
  }
}
