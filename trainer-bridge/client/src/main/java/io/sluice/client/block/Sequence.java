package io.sluice.client.block;

import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One accepted sequence of a run's stream: sequence length + 1 tokens, so that no label is lost.
 * Everything but {@link #block()} is read from the fetched bytes where they lie.
 */
public final class Sequence {
  private final StreamHeader header;
  private final ByteBuffer encoded;
  private final EncodedBlock content;
  private final BlockReader reader;
  private volatile @Nullable TokenBlock block;

  public Sequence(
      StreamHeader header, ByteBuffer encoded, EncodedBlock content, BlockReader reader) {
    this.header = header;
    this.encoded = encoded;
    this.content = content;
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

  /** Name of the block's domain; '' for a block that could not be used. */
  public String domain() {
    return content.domain();
  }

  /** Bytes of one token: 2 or 4. */
  public int tokenWidth() {
    return content.tokenWidth();
  }

  /** The tokens as unsigned little-endian integers: a read-only view of the fetched bytes. */
  public ByteBuffer packedTokens() {
    return content.packed().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Tokens of each document part in order; they sum to the number of tokens. */
  public int[] documentLengths() {
    return content.documentLengths().clone();
  }

  /** Which labels count in the loss, as {@link Tokens#trained(TokenBlock)} has them. */
  public boolean[] trained() {
    int labels = content.packed().remaining() / content.tokenWidth() - 1;
    return Tokens.trained(labels, content.maskRuns());
  }

  /** When the block was packed, milliseconds since the epoch; 0 when that is not known. */
  public long producedAtMillis() {
    return content.producedAtMillis();
  }

  /** The block's bytes as they came; a copy. */
  public byte[] encodedBlock() {
    byte[] bytes = new byte[encoded.remaining()];
    encoded.duplicate().get(bytes);
    return bytes;
  }

  public int encodedBytes() {
    return encoded.remaining();
  }

  /** Appends the packed tokens to a buffer. */
  public void writeTokens(ByteBuffer target) {
    target.put(content.packed().duplicate());
  }

  /**
   * The block with every field, decoded when first asked for. Bytes that cannot be used are a block
   * of domain '' with no trained token.
   */
  public TokenBlock block() {
    TokenBlock decoded = block;
    if (decoded == null) {
      decoded = reader.read(content, encodedBlock());
      block = decoded;
    }
    return decoded;
  }

  @Override
  public String toString() {
    return "Sequence[" + header + ", " + encoded.remaining() + " bytes]";
  }
}
