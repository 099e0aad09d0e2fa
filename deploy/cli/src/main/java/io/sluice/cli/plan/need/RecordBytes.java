package io.sluice.cli.plan.need;

import io.sluice.control.topics.BlockBatches;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Bytes that a sequence of a dataset takes in topics, with what Kafka adds: of blocks whose
 * documents have {@link #DOCUMENT} tokens and ids of {@link #ID} characters, encoded as they are on
 * the wire.
 *
 * @param block in a block topic, or the evaluation set's
 * @param streamed in a stream
 * @param lineage in the dataset's lineage, before that is compressed; 0 without one
 */
public record RecordBytes(int block, int streamed, int lineage) {
  /** Tokens of a document. */
  static final int DOCUMENT = 1_000;

  /** Characters of a document's id. */
  static final int ID = 24;

  /** What Kafka adds to the value of a record without a key, and to a batch of records. */
  private static final int FRAME = 9;

  private static final int BATCH_FRAME = 61;
  private static final int HASH_CHARACTERS = 11;

  /** A header's key and value, and the lengths of both. */
  private static final int HEADER = StreamHeader.KEY.length() + StreamHeader.LENGTH + 2;

  /** Those of a dataset. */
  public static RecordBytes of(DatasetSpec spec) {
    List<Integer> lengths = lengths(spec.getSequenceLength() + 1);
    boolean hashed = IdHash.in(spec.getDocumentIds());
    String domain = spec.getDomains().get(0);
    int value = WireCodec.encode(block(spec, domain, lengths, hashed)).length;
    int inBatch = Math.max(1, BlockBatches.bytes(spec.getDomains().size()) / value);
    int block = FRAME + value + BATCH_FRAME / inBatch;
    int lineage = hashed ? FRAME + WireCodec.encode(lineage(spec, domain, lengths)).length : 0;
    return new RecordBytes(block, block + HEADER, lineage);
  }

  private static List<Integer> lengths(int tokens) {
    List<Integer> lengths = new ArrayList<>();
    for (int left = tokens; left > 0; left -= DOCUMENT) {
      lengths.add(Math.min(left, DOCUMENT));
    }
    return lengths;
  }

  private static TokenBlock block(
      DatasetSpec spec, String domain, List<Integer> lengths, boolean hashed) {
    String id = "i".repeat(hashed ? HASH_CHARACTERS : ID);
    return TokenBlock.newBuilder()
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setLane(0)
        .setOrdinal(1 << 20)
        .setTokenWidth(spec.getTokenWidth())
        .setTokens(ByteBuffer.allocate((spec.getSequenceLength() + 1) * spec.getTokenWidth()))
        .setDocumentLengths(lengths)
        .setDocumentIds(Collections.nCopies(lengths.size(), id))
        .setTrainedTokens(spec.getSequenceLength())
        .setProducedAtMillis(1L << 41)
        .build();
  }

  private static BlockLineage lineage(DatasetSpec spec, String domain, List<Integer> lengths) {
    int parts = lengths.size();
    return BlockLineage.newBuilder()
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setHeldOut(false)
        .setLane(0)
        .setOrdinal(1 << 20)
        .setHashes(ByteBuffer.allocate(parts * IdHash.BYTES))
        .setContents(ByteBuffer.allocate(parts * IdHash.BYTES))
        .setStarts(Collections.nCopies(parts, 0))
        .setTokens(lengths)
        .setNames(Collections.nCopies(parts, "i".repeat(ID)))
        .setWhole(true)
        .build();
  }
}
