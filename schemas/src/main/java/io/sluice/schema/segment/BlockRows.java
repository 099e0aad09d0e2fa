package io.sluice.schema.segment;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of the blocks of a dataset. A block that cannot be used becomes the row that readers
 * of streams have in its place: zeros, no label of which is trained. Immutable.
 */
public final class BlockRows {
  private final long fingerprint;
  private final boolean hashed;
  private final RowFormat format;
  private final RowHash hash;

  /** Of a dataset's blocks. */
  public BlockRows(DatasetSpec spec) {
    this(spec.getFingerprint(), spec.getDocumentIds(), RowFormat.of(spec));
  }

  /** Of the blocks of a run's dataset. */
  public BlockRows(RunSpec spec) {
    this(
        spec.getFingerprint(),
        spec.getDocumentIds(),
        new RowFormat(spec.getSequenceLength() + 1, spec.getVocabulary() <= 1 << 16 ? 2 : 4));
  }

  private BlockRows(long fingerprint, String documentIds, RowFormat format) {
    this.fingerprint = fingerprint;
    this.hashed = IdHash.in(documentIds);
    this.format = format;
    this.hash = new RowHash(format);
  }

  /**
   * A row.
   *
   * @param data its bytes in the data of a segment
   * @param side what the segment's side says of it
   */
  @SuppressWarnings("ArrayRecordComponent") // Made for one row, and never compared.
  public record Row(byte[] data, SideRow side) {}

  /** How the rows lie. */
  public RowFormat format() {
    return format;
  }

  /** Whether all tokens of some document in a usable block's row are this one. */
  public boolean isFilled(Row row, int token) {
    ByteBuffer tokens = ByteBuffer.wrap(row.data()).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    for (int part = 0; part < row.side().lengths().length; part++) {
      int end = at + row.side().lengths()[part];
      boolean filled = end > at && row.side().documents()[part] != 0;
      for (int i = at; i < end && filled; i++) {
        int found = format.width() == 2 ? tokens.getShort(2 * i) & 0xFFFF : tokens.getInt(4 * i);
        filled = found == token;
      }
      if (filled) {
        return true;
      }
      at = end;
    }
    return false;
  }

  /** The row of an encoded block of a domain. */
  public Row of(String domain, byte @Nullable [] encoded) {
    try {
      TokenBlock block = WireCodec.decode(TokenBlock.class, encoded);
      return isUsable(block) ? row(domain, block) : unusable();
    } catch (WireFormatException e) {
      return unusable();
    }
  }

  private boolean isUsable(TokenBlock block) {
    long sum = 0;
    boolean negative = false;
    for (int length : block.getDocumentLengths()) {
      sum += length;
      negative |= length < 0;
    }
    return block.getFingerprint() == fingerprint
        && block.getTokenWidth() == format.width()
        && block.getTokens().remaining() == format.tokens() * format.width()
        && sum == format.tokens()
        && !negative;
  }

  private Row row(String domain, TokenBlock block) {
    byte[] data = format.row(block.getTokens());
    int[] lengths = ints(block.getDocumentLengths());
    long[] documents = new long[lengths.length];
    for (int part = 0; part < Math.min(lengths.length, block.getDocumentIds().size()); part++) {
      documents[part] = document(domain, block.getDocumentIds().get(part));
    }
    List<Integer> runs = block.getLossMask();
    return new Row(
        data,
        new SideRow(
            hash.of(data, 0),
            block.getProducedAtMillis(),
            block.getTrainedTokens(),
            lengths,
            documents,
            runs == null ? null : ints(runs)));
  }

  private long document(String domain, String id) {
    return id.isEmpty() ? 0 : IdHash.number(hashed ? id : IdHash.of(domain, id));
  }

  private Row unusable() {
    byte[] data = format.row(ByteBuffer.allocate(format.tokens() * format.width()));
    int[] lengths = {format.tokens()};
    int[] runs = {0, format.labels()};
    return new Row(data, new SideRow(hash.of(data, 0), 0, 0, lengths, new long[1], runs));
  }

  private static int[] ints(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
