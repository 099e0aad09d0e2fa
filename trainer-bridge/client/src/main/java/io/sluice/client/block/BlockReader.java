package io.sluice.client.block;

import io.sluice.client.block.BlockLayout.Field;
import io.sluice.client.error.UnusableBlockException;
import io.sluice.client.run.RunInfo;
import io.sluice.schema.ChainHash;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.RowHash;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the blocks of one run. An encoding that cannot be used (corrupt, of another dataset, of
 * another shape) becomes a masked block, no label of which is trained: skipping it would make the
 * stream depend on who reads it. Thread-safe.
 */
public final class BlockReader {
  private static final Logger LOG = LoggerFactory.getLogger(BlockReader.class);

  private final List<BlockLayout> layouts;
  private final long fingerprint;
  private final int sequenceLength;
  private final int tokenWidth;
  private final RowHash rowHash;
  private final boolean hashedDocuments;
  private final Map<String, Long> domainHashes = new ConcurrentHashMap<>();
  private final LongAdder undecodable = new LongAdder();
  private final EncodedBlock unusable;

  public BlockReader(RunInfo run) {
    this(run, BlockLayout.KNOWN);
  }

  /** A reader of blocks that lie in one of these ways. */
  BlockReader(RunInfo run, List<BlockLayout> layouts) {
    this.layouts = layouts;
    this.fingerprint = run.spec().getFingerprint();
    this.sequenceLength = run.spec().getSequenceLength();
    this.tokenWidth = run.tokenWidth();
    this.hashedDocuments = IdHash.in(run.spec().getDocumentIds());
    int tokens = sequenceLength + 1;
    this.rowHash = new RowHash(new RowFormat(tokens, Integer.BYTES)); // of narrower ones, too
    this.unusable =
        new EncodedBlock(
            "",
            0,
            0,
            -1,
            tokenWidth,
            ByteBuffer.allocate(tokens * tokenWidth),
            new int[] {tokens},
            new EncodedDocuments(ByteBuffer.allocate(1), false),
            new int[] {0, sequenceLength},
            0);
  }

  /** Blocks that were inspected and cannot be used. */
  public long undecodable() {
    return undecodable.sum();
  }

  /**
   * What the encoding holds, without copying its tokens: they may be another rank's. A block of
   * masked tokens, counted, in the place of one that cannot be used.
   */
  public EncodedBlock inspect(ByteBuffer encoded) {
    try {
      return walk(encoded);
    } catch (UnusableBlockException e) {
      undecodable.increment();
      LOG.warn("a block cannot be used and is handed on masked: {}", e.getMessage());
      return unusable;
    }
  }

  /** Whether the block stands in the place of one that cannot be used. */
  @SuppressWarnings("ReferenceEquality") // It is one object, whatever it is equal to.
  public boolean isMasked(EncodedBlock block) {
    return block == unusable;
  }

  /** The hash of the row that a whole block is, in a segment, too; of a masked one 0. */
  public long hash(EncodedBlock block) {
    return rowHash.of(block.packed());
  }

  /** The block, or a masked one in its place when it cannot be used. */
  TokenBlock read(EncodedBlock block, byte[] encoded) {
    return isMasked(block) ? masked() : WireCodec.decode(TokenBlock.class, encoded);
  }

  private EncodedBlock walk(ByteBuffer encoded) throws UnusableBlockException {
    BlockCursor in = new BlockCursor(encoded);
    BlockLayout layout = layoutOf(in.schema());
    long dataset = layout.to(Field.FINGERPRINT, in).integer();
    String domain = layout.to(Field.DOMAIN, in).text();
    int lane = layout.reach(Field.LANE, in) ? (int) in.integer() : 0;
    long ordinal = layout.to(Field.ORDINAL, in).integer();
    long width = layout.to(Field.TOKEN_WIDTH, in).integer();
    long tokenBytes = layout.to(Field.TOKENS, in).integer();
    requireShape(dataset, width, tokenBytes);
    int tokensAt = in.position();
    in.skip(tokenBytes);
    int[] documents = layout.to(Field.DOCUMENT_LENGTHS, in).integers();
    requireSum(documents);
    int idsAt = layout.to(Field.DOCUMENT_IDS, in).position();
    in.skipTexts();
    int idsEnd = in.position();
    layout.to(Field.TRAINED_TOKENS, in).integer();
    int[] mask = layout.reach(Field.LOSS_MASK, in) && in.present() ? in.integers() : null;
    if (layout.reach(Field.CONTENT_TYPE, in)) {
      in.skipText();
    }
    if (layout.reach(Field.PAYLOAD, in) && in.present()) {
      in.skipText();
    }
    long producedAt = layout.reach(Field.PRODUCED_AT, in) ? in.integer() : 0;
    layout.finish(in);
    return new EncodedBlock(
        domain,
        domainHash(domain),
        lane,
        ordinal,
        (int) width,
        encoded.slice(encoded.position() + tokensAt, (int) tokenBytes),
        documents,
        new EncodedDocuments(
            encoded.slice(encoded.position() + idsAt, idsEnd - idsAt), hashedDocuments),
        mask,
        producedAt);
  }

  private BlockLayout layoutOf(long schema) throws UnusableBlockException {
    for (BlockLayout layout : layouts) {
      if (layout.isOf(schema)) {
        return layout;
      }
    }
    throw new UnusableBlockException("its bytes are not an encoded TokenBlock");
  }

  private long domainHash(String domain) {
    Long known = domainHashes.get(domain);
    return known != null
        ? known
        : domainHashes.computeIfAbsent(domain, name -> ChainHash.domain(fingerprint, name));
  }

  private void requireShape(long dataset, long width, long tokenBytes)
      throws UnusableBlockException {
    if (dataset != fingerprint) {
      throw new UnusableBlockException(
          "its dataset has fingerprint "
              + Long.toHexString(dataset)
              + " instead of "
              + Long.toHexString(fingerprint));
    }
    if ((width != 2 && width != 4) || tokenBytes != (sequenceLength + 1L) * width) {
      throw new UnusableBlockException(
          "it has "
              + tokenBytes
              + " bytes of tokens of width "
              + width
              + " instead of "
              + (sequenceLength + 1)
              + " tokens");
    }
  }

  private void requireSum(int[] documentLengths) throws UnusableBlockException {
    long sum = 0;
    boolean negative = false;
    for (int length : documentLengths) {
      sum += length;
      negative |= length < 0;
    }
    if (negative || sum != sequenceLength + 1L) {
      throw new UnusableBlockException(
          "its documents have " + sum + " tokens instead of " + (sequenceLength + 1));
    }
  }

  private TokenBlock masked() {
    int tokens = sequenceLength + 1;
    return TokenBlock.newBuilder()
        .setFingerprint(fingerprint)
        .setDomain("")
        .setOrdinal(-1)
        .setTokenWidth(tokenWidth)
        .setTokens(ByteBuffer.allocate(tokens * tokenWidth))
        .setDocumentLengths(List.of(tokens))
        .setDocumentIds(List.of(""))
        .setTrainedTokens(0)
        .setLossMask(List.of(0, sequenceLength))
        .build();
  }
}
