package io.sluice.corpus.tokens;

import io.sluice.corpus.file.StoredFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a NumPy array: each row of two dimensions is one; an array of one dimension is
 * divided behind each end of a document. See {@code numpy/lib/format.py} for the format.
 */
final class NumpyTokens implements TokenFile {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int LONGEST_HEADER = 64 << 10;
  private static final int CHUNK = 1 << 20;
  private static final Pattern TYPE = Pattern.compile("'descr': *'[<|]([iu])([1248])'");
  private static final Pattern SHAPE =
      Pattern.compile("'shape': *\\((\\d{1,18}), *(\\d{1,18})?\\)");

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
    byte[] start = new byte[MAGIC.length + 2];
    file.read(0, start, 0, start.length);
    if (!Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IOException("not an array of NumPy: it does not begin with \\x93NUMPY");
    }
    int version = start[MAGIC.length];
    if (version < 1 || version > 3) {
      throw new IOException("the array's format must be version 1 to 3: found " + version);
    }
    byte[] size = new byte[version == 1 ? 2 : 4];
    file.read(start.length, size, 0, size.length);
    long length =
        Integer.toUnsignedLong(
            ByteBuffer.wrap(Arrays.copyOf(size, 4)).order(ByteOrder.LITTLE_ENDIAN).getInt());
    if (length > LONGEST_HEADER) {
      throw new IOException(
          "the array's header must have at most " + LONGEST_HEADER + " bytes: " + length);
    }
    byte[] header = new byte[(int) length];
    place = (long) start.length + size.length;
    file.read(place, header, 0, header.length);
    place += length;
    understand(new String(header, StandardCharsets.ISO_8859_1).strip());
  }

  private void understand(String header) throws IOException {
    Matcher descr = TYPE.matcher(header);
    Matcher shape = SHAPE.matcher(header);
    if (!descr.find() || !shape.find() || !header.contains("'fortran_order': False")) {
      throw new IOException(
          "the array must be of whole numbers, little-endian, in C order, with one or two"
              + " dimensions: found "
              + header.substring(0, Math.min(header.length(), 200)));
    }
    String named = "u".equals(descr.group(1)) ? "uint" : "int";
    type = TokenType.named(named + 8 * Integer.parseInt(descr.group(2))).orElseThrow();
    long rows = Long.parseLong(shape.group(1));
    boolean single = shape.group(2) == null;
    long columns = single ? 1 : Long.parseLong(shape.group(2));
    long data = file.size() - place;
    boolean fits =
        (columns == 0 || rows == 0)
            ? data == 0
            : rows <= data / columns
                && rows * columns == data / type.bytes()
                && data % type.bytes() == 0;
    if (!fits) {
      throw new IOException(
          String.format(
              "the array must have the bytes of %d × %d ids of %s behind its header: found %d",
              rows, columns, type, data));
    }
    rowBytes = single ? 0 : columns * type.bytes();
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
