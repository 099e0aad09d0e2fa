package io.sluice.client;

import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import org.jspecify.annotations.Nullable;

/** One accepted sequence of a run's stream; its block is decoded when first asked for. */
public final class Sequence {
  private final StreamHeader header;
  private final byte[] encodedBlock;
  private final BlockReader reader;
  private volatile @Nullable TokenBlock block;

  Sequence(StreamHeader header, byte[] encodedBlock, BlockReader reader) {
    this.header = header;
    this.encodedBlock = encodedBlock;
    this.reader = reader;
  }

  /** Global index in the stream. */
  public long index() {
    return header.index();
  }

  /** Position in the stream, and the mixture version that governs it. */
  public StreamHeader header() {
    return header;
  }

  /** The block's bytes as they came, not copied. */
  public byte[] encodedBlock() {
    return encodedBlock;
  }

  /**
   * The block: sequence length + 1 tokens. Bytes that cannot be used are a block of domain '' with
   * no trained token.
   */
  public TokenBlock block() {
    TokenBlock decoded = block;
    if (decoded == null) {
      decoded = reader.read(encodedBlock);
      block = decoded;
    }
    return decoded;
  }

  @Override
  public String toString() {
    return "Sequence[" + header + ", " + encodedBlock.length + " bytes]";
  }
}
