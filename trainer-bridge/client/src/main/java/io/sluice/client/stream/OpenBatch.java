package io.sluice.client.stream;

import io.sluice.client.block.Sequence;
import io.sluice.client.error.InvalidWorldSizeException;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.segment.BatchDigest;
import java.util.List;

/** A batch that some sequences of have been accepted, and which of them are the rank's own rows. */
final class OpenBatch {
  private final StreamHeader shape;
  private final long firstRow;
  private final Sequence[] rows;
  private int filled;
  private long digest;

  /**
   * A batch of which nothing is there yet.
   *
   * @throws InvalidWorldSizeException if the ranks cannot share it evenly
   */
  OpenBatch(StreamHeader first, TrainerRank rank) {
    this.shape = first;
    int count = rank.rows(first.batch(), first.batchSize());
    this.firstRow = first.firstIndex() + (long) rank.rank() * count;
    this.rows = new Sequence[count];
  }

  /** Whether the header's own numbers fit together. */
  static boolean isConsistent(StreamHeader header) {
    long position = header.index() - header.firstIndex();
    return header.batch() >= 1
        && header.firstIndex() >= 0
        && position >= 0
        && position < header.batchSize();
  }

  boolean agreesWith(StreamHeader header) {
    return isConsistent(header)
        && header.firstIndex() == shape.firstIndex()
        && header.batchSize() == shape.batchSize()
        && header.weightsVersion() == shape.weightsVersion();
  }

  /** Whether a sequence is one of the rank's rows. */
  boolean holds(long index) {
    return index >= firstRow && index < endOfRows();
  }

  /**
   * Puts a row in its place; each comes once.
   *
   * @param hash of the row
   */
  void put(Sequence row, long hash) {
    rows[(int) (row.index() - firstRow)] = row;
    digest += BatchDigest.of(row.index(), hash);
    filled++;
  }

  boolean isComplete() {
    return filled == rows.length;
  }

  /** Global index of the rank's first row. */
  long firstRow() {
    return firstRow;
  }

  /** Global index after the rank's last row. */
  long endOfRows() {
    return firstRow + rows.length;
  }

  /** Global index after the batch's last sequence. */
  long end() {
    return shape.firstIndex() + shape.batchSize();
  }

  StreamHeader shape() {
    return shape;
  }

  /** The digest of the rows that are there. */
  long digest() {
    return digest;
  }

  /** The rows, which are all there. */
  List<Sequence> rows() {
    return List.of(rows);
  }

  @Override
  public String toString() {
    return "batch "
        + shape.batch()
        + " (sequences "
        + shape.firstIndex()
        + " to "
        + (end() - 1)
        + ", weights version "
        + shape.weightsVersion()
        + ")";
  }
}
