package io.sluice.corpus.tokens;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the header of an {@code .npy} file says. See {@code numpy/lib/format.py} for the format.
 *
 * @param begin first byte behind the header
 * @param rows ids, if it has one dimension
 * @param columns ids of a row; 0 if it has one dimension
 */
public record NumpyArray(TokenType type, long begin, long rows, long columns) {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int LONGEST_HEADER = 64 << 10;
  private static final Pattern TYPE = Pattern.compile("'descr': *'[<|]([iu])([1248])'");
  private static final Pattern SHAPE =
      Pattern.compile("'shape': *\\((\\d{1,18}), *(\\d{1,18})?\\)");

  /**
   * Reads a header.
   *
   * @throws IOException if there is none, or it is not that of the bytes behind it
   */
  public static NumpyArray of(FileWindow file) throws IOException {
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
    long place = (long) start.length + size.length;
    file.read(place, header, 0, header.length);
    return understand(
        new String(header, StandardCharsets.ISO_8859_1).strip(), place + length, file.size());
  }

  private static NumpyArray understand(String header, long begin, long end) throws IOException {
    Matcher descr = TYPE.matcher(header);
    Matcher shape = SHAPE.matcher(header);
    if (!descr.find() || !shape.find() || !header.contains("'fortran_order': False")) {
      throw new IOException(
          "the array must be of whole numbers, little-endian, in C order, with one or two"
              + " dimensions: found "
              + header.substring(0, Math.min(header.length(), 200)));
    }
    String named = "u".equals(descr.group(1)) ? "uint" : "int";
    TokenType type = TokenType.named(named + 8 * Integer.parseInt(descr.group(2))).orElseThrow();
    long rows = Long.parseLong(shape.group(1));
    boolean single = shape.group(2) == null;
    long columns = single ? 1 : Long.parseLong(shape.group(2));
    long data = end - begin;
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
    return new NumpyArray(type, begin, rows, single ? 0 : columns);
  }
}
