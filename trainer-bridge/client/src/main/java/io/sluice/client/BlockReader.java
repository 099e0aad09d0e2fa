package io.sluice.client;

import io.sluice.schema.ChainHash;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the blocks of one run. An encoding that cannot be used (corrupt, of another dataset, of
 * another shape) becomes a masked block, no label of which is trained: skipping it would make the
 * stream depend on who reads it. Thread-safe.
 */
final class BlockReader {
  private static final Logger LOG = LoggerFactory.getLogger(BlockReader.class);

  private final long fingerprint;
  private final int sequenceLength;
  private final int tokenWidth;
  private final Map<String, Long> domainHashes = new ConcurrentHashMap<>();
  private final LongAdder undecodable = new LongAdder();

  BlockReader(RunInfo run) {
    this.fingerprint = run.spec().getFingerprint();
    this.sequenceLength = run.spec().getSequenceLength();
    this.tokenWidth = run.tokenWidth();
  }

  /** Blocks that were inspected and cannot be used. */
  long undecodable() {
    return undecodable.sum();
  }

  /**
   * The block's identity, without copying its tokens: they may be another rank's. Empty, and
   * counted, when the block cannot be used.
   */
  Optional<BlockIdentity> inspect(byte[] encoded) {
    try {
      return Optional.of(walk(encoded));
    } catch (UnusableBlockException e) {
      undecodable.increment();
      LOG.warn("a block cannot be used and is handed on masked: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /** The block, or a masked one in its place when it cannot be used. */
  TokenBlock read(byte[] encoded) {
    try {
      walk(encoded);
      return WireCodec.decode(TokenBlock.class, encoded);
    } catch (UnusableBlockException e) {
      return masked();
    }
  }

  /** Fields in the order of TokenBlock.avsc. */
  private BlockIdentity walk(byte[] encoded) throws UnusableBlockException {
    BlockCursor in = new BlockCursor(encoded);
    in.requireTokenBlock();
    long dataset = in.integer();
    String domain = in.text();
    int lane = (int) in.integer();
    long ordinal = in.integer();
    requireShape(dataset, in);
    in.skipIntegers();
    in.skipTexts();
    in.integer();
    if (in.present()) {
      in.skipIntegers();
    }
    in.skipText();
    if (in.present()) {
      in.skipText();
    }
    long domainHash =
        domainHashes.computeIfAbsent(domain, name -> ChainHash.domain(fingerprint, name));
    return new BlockIdentity(domainHash, lane, ordinal);
  }

  private void requireShape(long dataset, BlockCursor in) throws UnusableBlockException {
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
    in.skip(tokenBytes);
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
