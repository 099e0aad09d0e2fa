package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.tokenizer.TokenBytes;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts a domain's documents into blocks of {@code sequenceLength + 1} tokens, which share none.
 * Each document is followed by the end-of-document token, and padded to the dataset's multiple.
 *
 * <p>They are concatenated, and cut where a block is full; or, by best fit, a document is cut only
 * into as many whole blocks as it fills, and the rest of it goes into one block of a {@link
 * PackingWindow}. Blocks go to the dataset's lanes in turn, so that each lane's ordinals are dense
 * from 0.
 */
final class BlockPacker {
  /** Without padding behind documents all tokens count, and the state is of version 1. */
  private static final byte ALL_COUNT = 1;

  /** Without lineage it is of version 2. */
  private static final byte WITHOUT_ORIGINS = 2;

  private static final byte VERSION = 3;

  private final DatasetSpec spec;
  private final String domain;
  private final byte[] endOfDocument;
  private final Consumer<BlockLineage> lineage;

  /** Where documents are fitted; null where they are concatenated. */
  private final @Nullable PackingWindow window;

  private OpenBlock open;
  private long blocks;
  private long trainedTokens;
  private long padding;
  private long leftOver;

  /**
   * A packer from the first document on.
   *
   * @param window most blocks among which a document's place is looked for, where documents are
   *     fitted
   * @param lineage takes what is said of each block behind it, where blocks carry hashes
   */
  BlockPacker(DatasetSpec spec, String domain, int window, Consumer<BlockLineage> lineage) {
    this.lineage = lineage;
    this.spec = spec;
    this.domain = domain;
    this.endOfDocument = TokenBytes.of(spec.getEndOfDocument(), spec.getTokenWidth());
    this.open = new OpenBlock(spec);
    boolean fits = spec.getPacking().equals(PackingSettings.BEST_FIT);
    this.window = fits ? new PackingWindow(spec, window) : null;
  }

  /** The same with the dataset's window. */
  BlockPacker(DatasetSpec spec, String domain, Consumer<BlockLineage> lineage) {
    this(spec, domain, spec.getPackingWindow(), lineage);
  }

  /** Goes on where the packer that gave the {@link #snapshot()} stopped. */
  BlockPacker restore(byte[] snapshot) {
    return VersionedBytes.read(
        "block packer state",
        ALL_COUNT,
        VERSION,
        snapshot,
        (version, in) -> {
          blocks = in.readLong();
          trainedTokens = in.readLong();
          open = OpenBlock.read(spec, version > ALL_COUNT, version == VERSION, in);
          padding = version > ALL_COUNT ? in.readLong() : 0;
          return this;
        });
  }

  /** What later blocks depend on, between two documents, but the {@link #window()}; versioned. */
  byte[] snapshot() {
    boolean hashes = PackingSettings.hashes(spec);
    boolean plain = !hashes && window == null && spec.getPadDocumentsTo() == 1 && open.allCount();
    return VersionedBytes.write(
        plain ? ALL_COUNT : hashes ? VERSION : WITHOUT_ORIGINS,
        out -> {
          out.writeLong(blocks);
          out.writeLong(trainedTokens);
          open.write(out);
          if (!plain) {
            open.writeCounts(out);
            open.writeOrigins(out);
            out.writeLong(padding);
          }
        });
  }

  /** Open blocks among which documents are fitted; empty where they are concatenated. */
  Optional<PackingWindow> window() {
    return Optional.ofNullable(window);
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

  /** Tokens of padding in the blocks so far. */
  long padding() {
    return padding;
  }

  /** Documents that end in an open block, between two documents. */
  int openDocuments() {
    return openBlocks().mapToInt(OpenBlock::documents).sum();
  }

  /** Tokens in open blocks that are no padding. */
  long openTokens() {
    return openBlocks().mapToLong(block -> block.used() - block.padding()).sum();
  }

  /** About how much of the heap open blocks take. */
  long bytes() {
    return openBlocks().mapToLong(OpenBlock::bytes).sum();
  }

  /** Tokens that {@link #finish()} dropped. */
  long leftOver() {
    return leftOver;
  }

  private Stream<OpenBlock> openBlocks() {
    return window == null ? Stream.of(open) : window.blocks();
  }

  /**
   * Appends a document and its end; full blocks go out.
   *
   * @param tokens ids of the dataset's token width; read to their end
   * @param counted runs of them; the document's end counts as its last token does
   */
  void append(String id, ByteBuffer tokens, int[] counted, Consumer<TokenBlock> out) {
    PackedDocument document =
        PackingSettings.hashes(spec) ? PackedDocument.of(id, tokens) : new PackedDocument(id, 0);
    TokenRuns counts = TokenRuns.of(counted, tokens.remaining() / spec.getTokenWidth());
    counts.extend(1);
    ByteBuffer whole = ByteBuffer.allocate(tokens.remaining() + endOfDocument.length);
    whole.put(tokens).put(endOfDocument).flip();
    if (window == null) {
      join(document, whole, counts, out);
    } else {
      window.fit(document, whole, counts, block -> close(block, out));
    }
  }

  /** Takes how many documents ended, with how many tokens, in what was cut out. */
  interface Cut {
    void count(long documents, long tokens);
  }

  /** Cuts documents out of the open blocks, of which some parts may be in others. */
  void cut(Predicate<String> documents, Cut cut) {
    long endedBefore = openDocuments();
    long tokensBefore = openTokens();
    if (window == null) {
      open = open.without(documents);
    } else {
      window.cut(documents);
    }
    cut.count(endedBefore - openDocuments(), tokensBefore - openTokens());
  }

  /** Pads and gives what is left; a single token, which would be no label, is dropped. */
  List<TokenBlock> finish() {
    List<TokenBlock> last = new ArrayList<>();
    if (window != null) {
      window.drain().forEach(left -> close(left, last::add));
    }
    close(open, last::add);
    open = new OpenBlock(spec);
    return last;
  }

  private void join(
      PackedDocument document, ByteBuffer whole, TokenRuns counts, Consumer<TokenBlock> out) {
    open.begin();
    while (whole.hasRemaining()) {
      open.take(document, whole, counts);
      if (!whole.hasRemaining()) {
        open.endDocument();
      }
      if (open.room() == 0) {
        close(open, out);
        open = new OpenBlock(spec);
      }
    }
  }

  private void close(OpenBlock last, Consumer<TokenBlock> out) {
    if (last.used() < 2) {
      leftOver += last.used();
      return;
    }
    last.fill();
    int lane = (int) (blocks % spec.getLanes());
    TokenBlock block = last.toBlock(domain, lane, blocks / spec.getLanes());
    blocks++;
    trainedTokens += block.getTrainedTokens();
    padding += last.padding();
    out.accept(block);
    last.lineage(block).ifPresent(lineage);
  }
}
