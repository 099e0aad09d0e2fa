package io.sluice.control.digest;

import io.sluice.schema.FileInPlace;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.RowHash;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The files that a dataset's segments are in. */
final class SegmentFiles {
  private static final String FILE = "file://";
  private static final int LONGEST_SIDE = 1 << 30;
  private static final int CHUNK = 1 << 20;

  private final SegmentStore store;
  private final StoreFiles files;
  private final RowFormat format;
  private final RowHash hash;

  /** Of a store that is read. */
  SegmentFiles(SegmentStore store, StoreFiles files, RowFormat format) {
    this.store = store;
    this.files = files;
    this.format = format;
    this.hash = new RowHash(format);
  }

  /**
   * What the side of a segment says.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is not what the record says
   */
  SegmentSide side(Segment segment) throws IOException {
    StoredPart part = segment.getSide();
    ByteBuffer bytes;
    try (FileChannel file = files.open(store, part.getObject())) {
      if (part.getLength() < 1 || part.getLength() > Math.min(file.size(), LONGEST_SIDE)) {
        throw new IllegalArgumentException(
            "its side must have 1 to " + LONGEST_SIDE + " bytes, and be in its file: " + part);
      }
      bytes = ByteBuffer.allocate((int) part.getLength());
      fill(file, bytes, part.getOffset());
    }
    if (!sha256(bytes.array()).equals(part.getSha256())) {
      throw new IllegalArgumentException("the bytes of its side are not those of " + part);
    }
    SegmentSide side = SegmentSide.decode(bytes);
    if (side.rows() != segment.getRows()) {
      throw new IllegalArgumentException(
          "its side must be of " + segment.getRows() + " rows: " + side.rows());
    }
    return side;
  }

  /**
   * Holds every row of a segment against its hash.
   *
   * @throws IOException if one cannot be read
   * @throws IllegalArgumentException if one is another
   */
  void check(Segment segment, SegmentSide side) throws IOException {
    long from = segment.getData().getOffset();
    int stride = segment.getStride() > 0 ? segment.getStride() : format.stride();
    int most = Math.max(1, CHUNK / stride);
    ByteBuffer bytes = ByteBuffer.allocate((most - 1) * stride + format.bytes());
    Path path = file(segment);
    try (FileChannel file = FileChannel.open(path)) {
      for (int first = 0; first < side.rows(); first += most) {
        int rows = Math.min(most, side.rows() - first);
        bytes.clear().limit((rows - 1) * stride + format.bytes());
        fill(file, bytes, from + (long) first * stride);
        for (int row = 0; row < rows; row++) {
          if (hash.of(bytes.slice(row * stride, format.bytes())) != side.hash(first + row)) {
            throw new IllegalArgumentException(
                String.format(
                    "row %d, %d bytes from %d on in %s, is not what its hash says",
                    first + row, format.bytes(), from + (long) (first + row) * stride, path));
          }
        }
      }
    }
  }

  private Path file(Segment segment) throws IOException {
    FileInPlace place = segment.getFile();
    String object = segment.getData().getObject();
    if (place == null) {
      return files.file(store, object);
    }
    Path path = Path.of(object.startsWith(FILE) ? object.substring(FILE.length()) : "");
    String version = Long.toString(Files.getLastModifiedTime(path).toMillis());
    if (Files.size(path) != place.getBytes() || !version.equals(place.getVersion())) {
      throw new IllegalArgumentException(path + " was changed since its rows were hashed");
    }
    return path;
  }

  private static void fill(FileChannel file, ByteBuffer bytes, long from) throws IOException {
    while (bytes.hasRemaining()) {
      if (file.read(bytes, from + bytes.position()) < 0) {
        throw new IllegalArgumentException("its file ends before byte " + (from + bytes.limit()));
      }
    }
    bytes.flip();
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
