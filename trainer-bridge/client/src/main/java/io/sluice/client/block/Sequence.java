package io.sluice.client.block;

import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One sequence of a run, or a row that was {@link #rows cut} from it: so many labels and one token
 * more, so that no label is lost. Everything but {@link #block()} is read from the bytes that came,
 * where they lie.
 */
public final class Sequence {
  private final StreamHeader header;
  private final EncodedBlock content;
  private final WholeBlock all;
  private final @Nullable Sequence whole;
  private final int from;
  private final int @Nullable [] masked;
  private volatile @Nullable TokenBlock block;

  /** A sequence that was accepted from a stream. */
  public Sequence(
      StreamHeader header, ByteBuffer encoded, EncodedBlock content, BlockReader reader) {
    this(header, content, new FetchedBlock(encoded, content, reader));
  }

  /**
   * A sequence.
   *
   * @param content what of the block is trained on
   */
  public Sequence(StreamHeader header, EncodedBlock content, WholeBlock all) {
    this.header = header;
    this.content = content;
    this.all = all;
    this.whole = null;
    this.from = 0;
    this.masked = null;
  }

  private Sequence(Sequence unmasked, int[] runs) {
    this.header = unmasked.header;
    this.content = unmasked.content.withMask(runs);
    this.all = unmasked.all;
    this.whole = null;
    this.from = 0;
    this.masked = runs;
  }

  /** The whole sequence with no label of these documents trained; itself if it has none. */
  public Sequence without(MaskedDocuments documents) {
    int[] runs = all.isUnusable() ? null : documents.runs(content);
    return runs == null ? this : new Sequence(this, runs);
  }

  private Sequence(Sequence whole, int from, int labels) {
    this.header = whole.header;
    this.content = BlockRows.row(whole.content, from, labels);
    this.all = whole.all;
    this.whole = whole;
    this.from = from;
    this.masked = null;
  }

  /**
   * The rows that a whole sequence is cut into, in order; itself if it is one row. They share its
   * place in the stream and its bytes.
   *
   * @param labels of a row
   * @throws IllegalArgumentException if they do not divide the sequence's
   * @see BlockRows
   */
  public List<Sequence> rows(int labels) {
    int own = labels();
    return own == labels
        ? List.of(this)
        : BlockRows.starts(own, labels).mapToObj(at -> new Sequence(this, at, labels)).toList();
  }

  /** Labels in it. */
  public int labels() {
    return content.packed().remaining() / content.tokenWidth() - 1;
  }

  /** Global index in the stream, the same for all rows of a sequence. */
  public long index() {
    return header.index();
  }

  /** Position in the run, and the mixture version that governs it; without a stream no chain. */
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

  /** The tokens as unsigned little-endian integers: a read-only view of the bytes. */
  public ByteBuffer packedTokens() {
    return content.packed().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Tokens of each document part in order; they sum to the number of tokens. */
  public int[] documentLengths() {
    return content.documentLengths().clone();
  }

  /** Which labels count in the loss, as {@link Tokens#trained(TokenBlock)} has them. */
  public boolean[] trained() {
    return Tokens.trained(labels(), content.maskRuns());
  }

  /** When the block was packed, milliseconds since the epoch; 0 when that is not known. */
  public long producedAtMillis() {
    return content.producedAtMillis();
  }

  /** The bytes of the whole block as they came, or would have as far as it is known; a copy. */
  public byte[] encodedBlock() {
    return all.encoded();
  }

  /** The bytes of memory that the whole block takes up. */
  public int encodedBytes() {
    return all.size();
  }

  /** Appends the packed tokens to a buffer. */
  public void writeTokens(ByteBuffer target) {
    target.put(content.packed().duplicate());
  }

  /**
   * The block with every field, decoded when first asked for; of a row, what lies in it. Bytes that
   * cannot be used are a block of domain '' with no trained token.
   */
  public TokenBlock block() {
    TokenBlock decoded = block;
    if (decoded == null) {
      decoded = whole == null ? decoded() : BlockRows.row(whole.block(), from, labels());
      block = decoded;
    }
    return decoded;
  }

  private TokenBlock decoded() {
    TokenBlock decoded = all.decoded();
    return masked == null ? decoded : MaskedDocuments.masked(decoded, masked);
  }

  @Override
  public String toString() {
    return "Sequence[" + header + ", " + encodedBytes() + " bytes]";
  }
}
