package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.tokenizer.TokenBytes;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A block in the making: tokens, of which documents they are, and which of them count in the loss.
 * Where the dataset pads documents, each ends where its padded length does, so that all boundaries
 * between its documents are multiples of that.
 */
final class OpenBlock {
  private static final int LEAST_BYTES = 1 << 10;

  /** What the length and the id of a part take. */
  private static final int PART_BYTES = 128;

  private final DatasetSpec spec;
  private final int capacity;
  private final BlockParts parts;
  private final TokenRuns counts = new TokenRuns();
  private byte[] tokens;
  private int length;
  private int padding;
  private boolean afterPadding;

  /** A block without tokens. */
  OpenBlock(DatasetSpec spec) {
    this.spec = spec;
    this.capacity = spec.getSequenceLength() + 1;
    this.parts = new BlockParts(spec);
    this.tokens = new byte[Math.min(LEAST_BYTES, capacity * spec.getTokenWidth())];
  }

  /** Tokens so far. */
  int used() {
    return length / spec.getTokenWidth();
  }

  /** Tokens that it lacks. */
  int room() {
    return capacity - used();
  }

  /** Tokens of it that are padding. */
  int padding() {
    return padding;
  }

  /** Documents of which it has tokens, before it is filled. */
  int documents() {
    return parts.size();
  }

  /** About how much of the heap it takes. */
  int bytes() {
    return tokens.length + parts.size() * PART_BYTES;
  }

  /** Whether all of its tokens count. */
  boolean allCount() {
    return counts.all();
  }

  /** What comes next is of another document. */
  void begin() {
    parts.begin();
  }

  /**
   * Takes as many of the document's next tokens as there is room for, and as many from its counts.
   *
   * @param from the document from its first token on; its position is behind those that were taken
   */
  void take(PackedDocument document, ByteBuffer from, TokenRuns counted) {
    int start = from.position() / spec.getTokenWidth();
    int taken = Math.min(from.remaining() / spec.getTokenWidth(), room());
    parts.add(document, start, taken);
    take(taken, from, counted);
  }

  private void take(int taken, ByteBuffer from, TokenRuns counted) {
    int bytes = taken * spec.getTokenWidth();
    reserve(bytes);
    from.get(tokens, length, bytes);
    length += bytes;
    // The label of a padding token would be the first token of the next document.
    int skipped = afterPadding ? 1 : 0;
    counts.add(false, skipped);
    counted.moveTo(new TokenRuns(), skipped);
    counted.moveTo(counts, taken - skipped);
    afterPadding = false;
  }

  /**
   * Pads the document that ends here, if the dataset's are padded; its padding is a part of it.
   * Where no other document has room for an input behind it, the block is filled.
   */
  void endDocument() {
    int unit = spec.getPadDocumentsTo();
    if (unit == 1 || room() == 0) {
      return;
    }
    pad((unit - used() % unit) % unit);
    if (room() == 1) {
      fill();
    }
  }

  /** Pads what is left, as a part of its own. */
  void fill() {
    parts.begin();
    pad(room());
  }

  /**
   * What is left of the block without some documents; their parts are cut out, and those that are
   * left move together, each with its padding. This one is not used any more if it is another.
   */
  OpenBlock without(Predicate<String> documents) {
    if (!parts.anyOf(documents)) {
      return this;
    }
    OpenBlock left = new OpenBlock(spec);
    ByteBuffer from = ByteBuffer.wrap(tokens, 0, length);
    for (int part = 0; part < parts.size(); part++) {
      int taken = parts.length(part);
      int end = from.position() + taken * spec.getTokenWidth();
      TokenRuns own = new TokenRuns();
      counts.moveTo(own, taken);
      if (!parts.isOf(part, documents)) {
        int padded = padded(end, own);
        left.parts.add(parts, part, taken - padded);
        left.take(taken - padded, from, own);
        left.pad(padded);
      }
      from.position(end);
    }
    return left;
  }

  /** Tokens of padding at the end of a part; they count as little as what is before them may. */
  private int padded(int end, TokenRuns counted) {
    int most = Math.min(spec.getPadDocumentsTo() - 1, counted.uncountedAtEnd());
    byte[] token = TokenBytes.of(spec.getPadding(), spec.getTokenWidth());
    int found = 0;
    for (int at = end - token.length;
        found < most && Arrays.equals(tokens, at, at + token.length, token, 0, token.length);
        at -= token.length) {
      found++;
    }
    return found;
  }

  /** The full block, as the given one of its lane. */
  TokenBlock toBlock(String domain, int lane, long ordinal) {
    List<Integer> mask = counts.labels();
    return TokenBlock.newBuilder()
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setLane(lane)
        .setOrdinal(ordinal)
        .setTokenWidth(spec.getTokenWidth())
        .setTokens(ByteBuffer.wrap(Arrays.copyOf(tokens, length)))
        .setDocumentLengths(parts.lengths())
        .setDocumentIds(parts.ids(domain))
        .setTrainedTokens(mask == null ? spec.getSequenceLength() : TokenRuns.counted(mask))
        .setLossMask(mask)
        .build();
  }

  /** What is said of the documents of the block that this has become, where it has hashes. */
  Optional<BlockLineage> lineage(TokenBlock block) {
    return parts.lineage(block);
  }

  /** Tokens and documents, as the first version of state has them. */
  void write(DataOutputStream out) throws IOException {
    out.writeInt(length);
    out.write(tokens, 0, length);
    parts.write(out);
  }

  /** What {@link #write} leaves out. */
  void writeCounts(DataOutputStream out) throws IOException {
    out.writeInt(padding);
    out.writeBoolean(afterPadding);
    counts.write(out);
  }

  /** What both leave out, of a dataset whose blocks carry hashes. */
  void writeOrigins(DataOutputStream out) throws IOException {
    parts.writeOrigins(out);
  }

  /**
   * Goes on where another stopped.
   *
   * @param withCounts whether {@link #writeCounts} was called behind {@link #write}; without it all
   *     tokens count
   * @param withOrigins whether {@link #writeOrigins} was called behind both
   */
  static OpenBlock read(
      DatasetSpec spec, boolean withCounts, boolean withOrigins, DataInputStream in)
      throws IOException {
    OpenBlock block = new OpenBlock(spec);
    int length = in.readInt();
    block.reserve(length);
    in.readFully(block.tokens, 0, length);
    block.length = length;
    block.parts.read(in);
    if (withCounts) {
      block.padding = in.readInt();
      block.afterPadding = in.readBoolean();
      block.counts.read(in);
    } else {
      block.counts.add(true, block.used());
    }
    if (withOrigins) {
      block.parts.readOrigins(in);
    }
    return block;
  }

  private void pad(int count) {
    if (count == 0) {
      return;
    }
    byte[] token = TokenBytes.of(spec.getPadding(), spec.getTokenWidth());
    reserve(count * token.length);
    for (int end = length + count * token.length; length < end; length += token.length) {
      System.arraycopy(token, 0, tokens, length, token.length);
    }
    parts.pad(count);
    counts.add(false, count);
    padding += count;
    afterPadding = true;
  }

  private void reserve(int bytes) {
    if (length + bytes > tokens.length) {
      int most = capacity * spec.getTokenWidth();
      tokens = Arrays.copyOf(tokens, Math.max(length + bytes, Math.min(2 * tokens.length, most)));
    }
  }
}
