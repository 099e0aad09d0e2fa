package io.sluice.client.segment;

import io.sluice.client.error.StreamCorruptException;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.SealedLanes;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SideRow;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A segment whose rows are mapped, and whose side is known to be what its record says. */
final class OpenSegment {
  /** Bytes of the longest side. */
  private static final long LONGEST_SIDE = 1L << 30;

  /** Bytes of the longest segment in place, whose rows may share bytes. */
  private static final long LONGEST_IN_PLACE = 1L << 29;

  private final Segment record;
  private final MappedPart data;
  private final MappedPart sideBytes;
  private final SegmentSide side;
  private final int stride;

  private OpenSegment(
      Segment record, MappedPart data, MappedPart sideBytes, SegmentSide side, int stride) {
    this.record = record;
    this.data = data;
    this.sideBytes = sideBytes;
    this.side = side;
    this.stride = stride;
  }

  /**
   * Opens a segment.
   *
   * @throws io.sluice.client.error.StreamMissingException if a file is not there
   * @throws StreamCorruptException if a file is not what the record says
   */
  static OpenSegment open(Segment record, DatasetFiles files, RowFormat format) {
    require(record, format);
    try {
      return mapped(record, files, format);
    } catch (StreamCorruptException e) {
      files.check(record);
      throw e;
    }
  }

  private static OpenSegment mapped(Segment record, DatasetFiles files, RowFormat format) {
    int stride = stride(record, format);
    MappedPart data =
        MappedPart.map(
            files.rows(record), record.getData(), stride, record.getFile(), files.mayGo(record));
    StoredPart part = record.getSide();
    MappedPart side =
        MappedPart.map(files.side(part), part, (int) part.getLength(), null, files.isCached());
    return new OpenSegment(record, data, side, side(record, side), stride);
  }

  private static int stride(Segment record, RowFormat format) {
    return record.getFile() == null ? format.stride() : record.getStride();
  }

  private static void require(Segment record, RowFormat format) {
    boolean inPlace = record.getFile() != null;
    int stride = stride(record, format);
    long length = (record.getRows() - 1L) * stride + (inPlace ? format.bytes() : stride);
    StoredPart side = record.getSide();
    if ((inPlace ? stride < 1 || length > LONGEST_IN_PLACE : record.getStride() != 0)
        || record.getData().getLength() != length
        || record.getData().getOffset() < 0
        || side.getOffset() < 0
        || side.getLength() < 1
        || side.getLength() > LONGEST_SIDE) {
      throw new StreamCorruptException(
          "segment "
              + SealedLanes.key(record)
              + " must have "
              + length
              + " bytes of rows and a side of 1 to "
              + LONGEST_SIDE
              + ": found "
              + record);
    }
  }

  private static SegmentSide side(Segment record, MappedPart mapped) {
    StoredPart part = record.getSide();
    try {
      requireDigest(mapped, part);
      SegmentSide side = SegmentSide.decode(mapped.bytes());
      if (side.rows() != record.getRows()) {
        throw new IllegalArgumentException(
            "a side must be of " + record.getRows() + " rows: found " + side.rows());
      }
      return side;
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptException(
          "segment "
              + SealedLanes.key(record)
              + ": side of "
              + part.getLength()
              + " bytes from "
              + part.getOffset()
              + " on in "
              + mapped.file()
              + ": "
              + e.getMessage());
    }
  }

  private static void requireDigest(MappedPart mapped, StoredPart part) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(mapped.bytes());
      String found = HexFormat.of().formatHex(digest.digest());
      if (!found.equals(part.getSha256())) {
        mapped.requireWhole();
        throw new IllegalArgumentException(
            "its bytes have the SHA-256 " + found + ", the record says " + part.getSha256());
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** Whether it has a block of its lane. */
  boolean has(long block) {
    return block >= record.getFirst() && block < record.getFirst() + record.getRows();
  }

  /** Whether this is the segment of a record. */
  boolean isOf(Segment other) {
    return record.equals(other);
  }

  /** Fails if a file of it is gone, or has been cut. */
  void requireWhole() {
    data.requireWhole();
    sideBytes.requireWhole();
  }

  /** Has its objects looked at, where a cache has them: it is not what its record says. */
  void check(DatasetFiles files) {
    files.check(record);
  }

  /** Whether a file of it is not there any more; what is mapped of it stays. */
  boolean isGone() {
    return Files.notExists(data.file()) || Files.notExists(sideBytes.file());
  }

  /** The files that it is in. */
  List<String> files() {
    return List.of(data.file().toString(), sideBytes.file().toString());
  }

  private int row(long block) {
    return (int) (block - record.getFirst());
  }

  /** What the side says of a block. */
  SideRow side(long block) {
    return side.row(row(block));
  }

  /** Copies the tokens of a block. */
  void copy(long block, byte[] to, int at, int bytes) {
    data.copy(row(block), to, at, bytes);
  }

  /** Where a block's row is. */
  String place(long block) {
    return "row "
        + row(block)
        + ", "
        + stride
        + " bytes from "
        + (record.getData().getOffset() + (long) row(block) * stride)
        + " on in "
        + data.file();
  }

  @Override
  public String toString() {
    return "segment " + SealedLanes.key(record);
  }
}
