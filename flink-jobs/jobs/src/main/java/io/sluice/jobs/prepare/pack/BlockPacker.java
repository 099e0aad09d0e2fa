package io.sluice.jobs.prepare.pack;

import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a domain's documents into blocks of {@code sequenceLength + 1} tokens: each document is
 * followed by the end-of-document token, the next one follows at once, and blocks share no token.
 * They go to the dataset's lanes in turn, so that each lane's ordinals are dense from 0.
 */
final class BlockPacker {
  private static final byte VERSION = 1;

  private final DatasetSpec spec;
  private final String domain;
  private final byte[] endOfDocument;
  private final byte[] block;
  private final BlockParts parts = new BlockParts();
  private int length;
  private long blocks;
  private long trainedTokens;

  BlockPacker(DatasetSpec spec, String domain) {
    this.spec = spec;
    this.domain = domain;
    this.endOfDocument = token(spec.getEndOfDocument());
    this.block = new byte[(spec.getSequenceLength() + 1) * spec.getTokenWidth()];
  }

  /** A packer that goes on where the one that gave the {@link #snapshot()} stopped. */
  static BlockPacker restore(DatasetSpec spec, String domain, byte[] snapshot) {
    return VersionedBytes.read(
        "block packer state",
        VERSION,
        snapshot,
        in -> {
          BlockPacker packer = new BlockPacker(spec, domain);
          packer.blocks = in.readLong();
          packer.trainedTokens = in.readLong();
          packer.length = in.readInt();
          in.readFully(packer.block, 0, packer.length);
          packer.parts.read(in);
          return packer;
        });
  }

  /** Everything that later blocks depend on, between two documents; versioned. */
  byte[] snapshot() {
    return VersionedBytes.write(
        VERSION,
        out -> {
          out.writeLong(blocks);
          out.writeLong(trainedTokens);
          out.writeInt(length);
          out.write(block, 0, length);
          parts.write(out);
        });
  }

  /** Blocks so far, of all lanes. */
  long blocks() {
    return blocks;
  }

  /** Blocks so far of a lane: the ordinal of its next one. */
  long blocks(int lane) {
    return (blocks + spec.getLanes() - 1 - lane) / spec.getLanes();
  }

  /** Labels that count in the blocks so far. */
  long trainedTokens() {
    return trainedTokens;
  }

  /**
   * Appends a document and its end; full blocks go out.
   *
   * @param tokens ids of the dataset's token width
   */
  void append(String id, byte[] tokens, Consumer<TokenBlock> out) {
    append(id, ByteBuffer.wrap(tokens), out);
  }

  /** The same for the tokens that remain in a buffer; it is read to its end. */
  void append(String id, ByteBuffer tokens, Consumer<TokenBlock> out) {
    parts.begin();
    write(id, tokens, out);
    write(id, ByteBuffer.wrap(endOfDocument), out);
  }

  /**
   * Pads what is left to the last block; empty when it holds no label to train on.
   *
   * <p>A block of n document tokens trains n - 1 labels: the label of position i is token i + 1.
   */
  Optional<TokenBlock> finish() {
    int labels = spec.getSequenceLength();
    int trained = length / spec.getTokenWidth() - 1;
    if (trained < 1) {
      clear();
      return Optional.empty();
    }
    byte[] padding = token(spec.getPadding());
    while (length < block.length) {
      System.arraycopy(padding, 0, block, length, padding.length);
      length += padding.length;
    }
    parts.begin();
    parts.add("", labels - trained);
    return Optional.of(take(trained, List.of(trained, labels - trained)));
  }

  private void write(String id, ByteBuffer tokens, Consumer<TokenBlock> out) {
    while (tokens.hasRemaining()) {
      int copied = Math.min(tokens.remaining(), block.length - length);
      tokens.get(block, length, copied);
      length += copied;
      parts.add(id, copied / spec.getTokenWidth());
      if (length == block.length) {
        out.accept(take(spec.getSequenceLength(), null));
      }
    }
  }

  private TokenBlock take(int trained, @Nullable List<Integer> lossMask) {
    TokenBlock full =
        TokenBlock.newBuilder()
            .setFingerprint(spec.getFingerprint())
            .setDomain(domain)
            .setLane((int) (blocks % spec.getLanes()))
            .setOrdinal(blocks++ / spec.getLanes())
            .setTokenWidth(spec.getTokenWidth())
            .setTokens(ByteBuffer.wrap(block.clone()))
            .setDocumentLengths(parts.lengths())
            .setDocumentIds(parts.ids())
            .setTrainedTokens(trained)
            .setLossMask(lossMask)
            .build();
    trainedTokens += trained;
    clear();
    return full;
  }

  private void clear() {
    length = 0;
    parts.clear();
  }

  private byte[] token(int id) {
    byte[] wide =
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(id).array();
    return Arrays.copyOf(wide, spec.getTokenWidth());
  }
}
