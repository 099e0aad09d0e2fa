package io.sluice.client.block;

import io.sluice.client.error.UnusableBlockException;
import io.sluice.client.run.RunInfo;
import io.sluice.schema.ChainHash;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
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

  private final long fingerprint;
  private final int sequenceLength;
  private final int tokenWidth;
  private final Map<String, Long> domainHashes = new ConcurrentHashMap<>();
  private final LongAdder undecodable = new LongAdder();
  private final EncodedBlock unusable;

  public BlockReader(RunInfo run) {
    this.fingerprint = run.spec().getFingerprint();
    this.sequenceLength = run.spec().getSequenceLength();
    this.tokenWidth = run.tokenWidth();
    int tokens = sequenceLength + 1;
    this.unusable =
        new EncodedBlock(
            "",
            0,
            0,
            -1,
            tokenWidth,
            ByteBuffer.allocate(tokens * tokenWidth),
            new int[] {tokens},
            new int[] {0, sequenceLength});
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
  public boolean isMasked(EncodedBlock block) {
    return block == unusable;
  }

  /** The block, or a masked one in its place when it cannot be used. */
  TokenBlock read(EncodedBlock block, byte[] encoded) {
    return isMasked(block) ? masked() : WireCodec.decode(TokenBlock.class, encoded);
  }

  /** Fields in the order of TokenBlock.avsc. */
  private EncodedBlock walk(ByteBuffer encoded) throws UnusableBlockException {
    BlockCursor in = new BlockCursor(encoded);
    in.requireTokenBlock();
    long dataset = in.integer();
    String domain = in.text();
    int lane = (int) in.integer();
    long ordinal = in.integer();
    int width = requireShape(dataset, in);
    ByteBuffer packed =
        encoded.slice(encoded.position() + in.position(), (sequenceLength + 1) * width);
    in.skip(packed.remaining());
    int[] documents = in.integers();
    requireSum(documents);
    in.skipTexts();
    in.integer();
    int[] mask = in.present() ? in.integers() : null;
    in.skipText();
    if (in.present()) {
      in.skipText();
    }
    return new EncodedBlock(
        domain, domainHash(domain), lane, ordinal, width, packed, documents, mask);
  }

  private long domainHash(String domain) {
    return domainHashes.computeIfAbsent(domain, name -> ChainHash.domain(fingerprint, name));
  }

  /** The width of a token, with the cursor at the first one. */
  private int requireShape(long dataset, BlockCursor in) throws UnusableBlockException {
    if (dataset != fingerprint) {
      throw new UnusableBlockException(
          "its dataset has fingerprint "
              + Long.toHexString(dataset)
              + " instead of "
              + Long.toHexString(fingerprint));
    }
    long width = in.integer();
    long tokenBytes = in.integer();
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
    in.requireBytes(tokenBytes);
    return (int) width;
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
