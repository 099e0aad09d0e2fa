package io.sluice.client.stream;

import io.sluice.client.block.MaskedDocuments;
import io.sluice.client.block.PackedDocuments;
import io.sluice.client.block.Sequence;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One optimizer step: a rank's rows of one global batch, in stream order.
 *
 * @param timeline that owns the batch; 0 until a rewind
 * @param batch number of the batch, from 1
 * @param firstIndex global index of the batch's first sequence, over all ranks
 * @param size sequences of the batch, over all ranks
 * @param weightsVersion version of the mixture that governs it
 * @param digest of this rank's rows, before they are cut or masked: see {@link
 *     io.sluice.schema.segment.BatchDigest}
 * @param sequences this rank's rows; all of the batch for a trainer of one rank. Where the run cuts
 *     sequences into shorter rows, the rows of each follow each other
 */
public record GlobalBatch(
    int timeline,
    long batch,
    long firstIndex,
    int size,
    int weightsVersion,
    long digest,
    List<Sequence> sequences) {
  /** Copies the list and checks that it is not empty. */
  public GlobalBatch {
    sequences = List.copyOf(sequences);
    if (sequences.isEmpty()) {
      throw new IllegalArgumentException("batch " + batch + " must have at least one sequence");
    }
  }

  /** The batch with no label of these documents trained. */
  GlobalBatch without(MaskedDocuments documents) {
    return documents.isEmpty()
        ? this
        : new GlobalBatch(
            timeline,
            batch,
            firstIndex,
            size,
            weightsVersion,
            digest,
            sequences.stream().map(each -> each.without(documents)).toList());
  }

  /** The batch with each sequence cut into rows of so many labels; itself if they are rows. */
  GlobalBatch cut(int labels) {
    if (sequences.isEmpty() || sequences.get(0).labels() == labels) {
      return this;
    }
    List<Sequence> rows = sequences.stream().flatMap(each -> each.rows(labels).stream()).toList();
    return new GlobalBatch(timeline, batch, firstIndex, size, weightsVersion, digest, rows);
  }

  /**
   * The rows in groups whose activations are in memory at a time; the last has what is left.
   *
   * @param rows of a group, at least 1
   */
  public List<List<Sequence>> microBatches(int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("rows must be at least 1: " + rows);
    }
    List<List<Sequence>> parts = new ArrayList<>();
    for (int from = 0; from < sequences.size(); from += rows) {
      parts.add(sequences.subList(from, Math.min(sequences.size(), from + rows)));
    }
    return parts;
  }

  /** Bytes that {@link #writeTokens} writes. */
  public int tokenBytes() {
    return sequences.stream().mapToInt(each -> each.packedTokens().remaining()).sum();
  }

  /**
   * Copies the tokens, row after row, from the fetched bytes to a buffer, which may be direct or
   * pinned: [rows, labels of a row + 1] unsigned little-endian integers of the run's token width.
   *
   * @throws java.nio.BufferOverflowException if the buffer has less than {@link #tokenBytes} left
   */
  public void writeTokens(ByteBuffer target) {
    sequences.forEach(sequence -> sequence.writeTokens(target));
  }

  /** How old the rows' data is; empty when no block says when it was packed. */
  public Optional<DataAge> age(Instant now) {
    return DataAge.of(sequences, now);
  }

  /** Where the documents lie that are packed into the rows. */
  public PackedDocuments documents() {
    return PackedDocuments.of(sequences);
  }
}
