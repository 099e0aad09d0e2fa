package io.sluice.jobs.prepare.pack;

import static io.sluice.jobs.prepare.pack.TestingDocuments.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Blocks of documents that are fitted or padded. */
class BestFitTest {
  private static final int END = 256;
  private static final int PADDING = 257;

  private final List<TokenBlock> blocks = new ArrayList<>();
  private final List<BlockLineage> lineage = new ArrayList<>();
  private final Map<String, String> texts = new HashMap<>();

  @Test
  void aDocumentGoesWhereTheLeastRoomIsLeftAndIsNotCut() {
    BlockPacker packer = new BlockPacker(spec(7, "best-fit", 2, 1), "java", lineage -> {});
    append(packer, "a", TestingDatasets.encode("aaaa"), blocks::add);
    append(packer, "b", TestingDatasets.encode("bbb"), blocks::add);
    append(packer, "c", TestingDatasets.encode("cc"), blocks::add);
    append(packer, "d", TestingDatasets.encode("ddd"), blocks::add);

    assertThat(blocks)
        .extracting(TokenBlock::getDocumentIds)
        .containsExactly(List.of("a", "c"), List.of("b", "d"));
    assertThat(TestingDatasets.tokens(blocks.get(0)))
        .containsExactly('a', 'a', 'a', 'a', END, 'c', 'c', END);
    assertThat(blocks).allSatisfy(block -> assertThat(block.getLossMask()).isNull());
    assertThat(packer.finish()).isEmpty();
  }

  @Test
  void theFullestBlockIsPaddedWhereTheWindowHoldsNoMore() {
    BlockPacker packer = new BlockPacker(spec(7, "best-fit", 2, 1), "java", lineage -> {});
    for (String text : List.of("aaaa", "bbbbb", "cccc")) {
      append(packer, text, TestingDatasets.encode(text), blocks::add);
    }

    assertThat(blocks).hasSize(1);
    assertThat(TestingDatasets.tokens(blocks.get(0)))
        .containsExactly('b', 'b', 'b', 'b', 'b', END, PADDING, PADDING);
    assertThat(blocks.get(0).getDocumentLengths()).containsExactly(6, 2);
    assertThat(blocks.get(0).getDocumentIds()).containsExactly("bbbbb", "");
    assertThat(blocks.get(0).getLossMask()).containsExactly(5, 2);
    assertThat(blocks.get(0).getTrainedTokens()).isEqualTo(5);
    assertThat(packer.finish())
        .extracting(TokenBlock::getDocumentIds)
        .containsExactly(List.of("aaaa", ""), List.of("cccc", ""));
    assertThat(packer.padding()).isEqualTo(2 + 3 + 3);
  }

  @Test
  void aLongDocumentFillsWholeBlocksAndItsRestIsFitted() {
    BlockPacker packer = new BlockPacker(spec(3, "best-fit", 4, 1), "java", lineage -> {});
    append(packer, "long", TestingDatasets.encode("abcdefghi"), blocks::add);
    append(packer, "x", TestingDatasets.encode("x"), blocks::add);

    assertThat(blocks)
        .extracting(TokenBlock::getDocumentLengths)
        .containsExactly(List.of(4), List.of(4), List.of(2, 2));
  }

  @Test
  void documentsArePaddedToAMultipleAndNoLabelIsPredictedFromPadding() {
    BlockPacker packer = new BlockPacker(spec(8, "concat", 0, 4), "java", lineage -> {});
    append(packer, "a", TestingDatasets.encode("a"), blocks::add);
    append(packer, "b", TestingDatasets.encode("bcdef"), blocks::add);

    assertThat(TestingDatasets.tokens(blocks.get(0)))
        .containsExactly('a', END, PADDING, PADDING, 'b', 'c', 'd', 'e', 'f');
    assertThat(blocks.get(0).getDocumentLengths()).containsExactly(4, 5);
    assertThat(blocks.get(0).getLossMask()).containsExactly(1, 3, 4);
    assertThat(blocks.get(0).getTrainedTokens()).isEqualTo(5);
    append(packer, "c", TestingDatasets.encode("cdef"), blocks::add);
    assertThat(TestingDatasets.tokens(blocks.get(1)))
        .containsExactly(END, PADDING, PADDING, PADDING, 'c', 'd', 'e', 'f', END);
    assertThat(blocks.get(1).getLossMask()).containsExactly(0, 4, 4);
    assertThat(packer.finish()).isEmpty();
    assertThat(packer.padding()).isEqualTo(5);
  }

  /** At 400 seeds: all tokens, once; no document cut that fits; boundaries; state at any time. */
  @Test
  void everyTokenIsThereOnceAtAnyWindowAndPadding() {
    for (int seed = 0; seed < 400; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int padTo = 1 << random.nextInt(4);
      int length = padTo * (1 + random.nextInt(12));
      boolean fits = random.nextBoolean();
      int size = fits ? 1 + random.nextInt(5) : 0;
      DatasetSpec spec = spec(length, fits ? "best-fit" : "concat", size, padTo);
      lineage.clear();
      spec.setDocumentIds(random.nextBoolean() ? "hashes" : "names");
      BlockPacker packer = new BlockPacker(spec, "java", lineage::add);
      blocks.clear();
      Map<String, Integer> expected = new HashMap<>();
      for (int i = 0; i < 80; i++) {
        String id = "d" + i;
        String text = "abcdefghijklmnopqrstuvwxyz".repeat(3).substring(0, 1 + random.nextInt(60));
        append(packer, id, TestingDatasets.encode(text), blocks::add);
        expected.put(id, text.length() + 1);
        texts.put(id, text);
        if (random.nextInt(4) == 0) {
          packer = restored(spec, packer);
        }
      }
      packer.finish().forEach(blocks::add);
      if (spec.getDocumentIds().equals("hashes")) {
        assertLineage("seed " + seed);
        nameAgain();
      } else {
        assertThat(lineage).isEmpty();
      }
      assertWhole("seed " + seed, spec, expected, packer);
    }
  }

  /** Each record is of its block; what it says of a part is what the block has there. */
  private void assertLineage(String seed) {
    assertThat(lineage).as(seed).hasSameSizeAs(blocks);
    for (int at = 0; at < blocks.size(); at++) {
      TokenBlock block = blocks.get(at);
      BlockLineage said = lineage.get(at);
      assertThat(said.getOrdinal()).isEqualTo(block.getOrdinal());
      assertThat(IdHash.all(said.getHashes()))
          .as(seed)
          .isEqualTo(block.getDocumentIds().stream().filter(id -> !id.isEmpty()).toList())
          .isEqualTo(said.getNames().stream().map(id -> IdHash.of("java", id)).toList());
      int[] tokens = TestingDatasets.tokens(block);
      int from = 0;
      for (int part = 0; part < said.getNames().size(); part++) {
        String text = Objects.requireNonNull(texts.get(said.getNames().get(part)));
        int start = said.getStarts().get(part);
        int length = said.getTokens().get(part);
        for (int i = 0; i < length; i++) {
          int token = start + i < text.length() ? text.charAt(start + i) : END;
          assertThat(tokens[from + i]).as("%s, block %s, part %s", seed, at, part).isEqualTo(token);
        }
        assertThat(said.getContents().getLong(Long.BYTES * part))
            .isEqualTo(
                PackedDocument.of("", ByteBuffer.wrap(TestingDatasets.encode(text))).content());
        from += block.getDocumentLengths().get(part);
      }
    }
  }

  /** Puts names where the blocks have hashes. */
  private void nameAgain() {
    Map<String, String> names = new HashMap<>(Map.of("", ""));
    texts.keySet().forEach(id -> names.put(IdHash.of("java", id), id));
    blocks.forEach(
        block -> block.setDocumentIds(block.getDocumentIds().stream().map(names::get).toList()));
  }

  private void assertWhole(
      String seed, DatasetSpec spec, Map<String, Integer> expected, BlockPacker packer) {
    Map<String, Integer> found = new HashMap<>();
    Map<String, Integer> parts = new HashMap<>();
    long padding = 0;
    long trained = 0;
    for (int at = 0; at < blocks.size(); at++) {
      TokenBlock block = blocks.get(at);
      int[] tokens = TestingDatasets.tokens(block);
      assertThat(tokens).as(seed).hasSize(spec.getSequenceLength() + 1);
      assertThat(block.getOrdinal()).as(seed).isEqualTo(at);
      boolean[] counts = counts(block);
      int from = 0;
      for (int part = 0; part < block.getDocumentIds().size(); part++) {
        String id = block.getDocumentIds().get(part);
        assertThat(from % spec.getPadDocumentsTo()).as(seed).isZero();
        int to = from + block.getDocumentLengths().get(part);
        int real = 0;
        for (int i = from; i < to; i++) {
          real += tokens[i] == PADDING ? 0 : 1;
          boolean label = i > 0 && tokens[i] != PADDING && tokens[i - 1] != PADDING;
          assertThat(i > 0 && counts[i - 1])
              .as("%s, block %s, token %s", seed, at, i)
              .isEqualTo(label);
          trained += label ? 1 : 0;
        }
        padding += to - from - real;
        if (!id.isEmpty()) {
          found.merge(id, real, Integer::sum);
          parts.merge(id, 1, Integer::sum);
        }
        from = to;
      }
    }
    int left = 0;
    for (Map.Entry<String, Integer> document : expected.entrySet()) {
      int whole = spec.getSequenceLength() + 1;
      int missing = document.getValue() - found.getOrDefault(document.getKey(), 0);
      left += missing;
      if (spec.getPackingWindow() > 0 && missing == 0) {
        assertThat(parts.get(document.getKey()))
            .as("%s, %s", seed, document)
            .isEqualTo((document.getValue() + whole - 1) / whole);
      }
    }
    assertThat(left)
        .as("%s: tokens without a label", seed)
        .isBetween(0, 1 + spec.getPackingWindow());
    assertThat(packer.padding()).as(seed).isEqualTo(padding);
    assertThat(packer.trainedTokens()).as(seed).isEqualTo(trained);
    assertThat(packer.blocks()).as(seed).isEqualTo(blocks.size());
  }

  private static boolean[] counts(TokenBlock block) {
    boolean[] counts = new boolean[block.getTokens().remaining() / block.getTokenWidth() - 1];
    List<Integer> runs = Objects.requireNonNullElse(block.getLossMask(), List.of(counts.length));
    int at = 0;
    for (int run = 0; run < runs.size(); run++) {
      for (int end = at + runs.get(run); at < end; at++) {
        counts[at] = run % 2 == 0;
      }
    }
    return counts;
  }

  private BlockPacker restored(DatasetSpec spec, BlockPacker packer) {
    BlockPacker restored = new BlockPacker(spec, "java", lineage::add).restore(packer.snapshot());
    packer
        .window()
        .ifPresent(
            window ->
                PackingWindow.restore(
                    PackingWindow.snapshot(window, new PackingWindow(spec, 1)),
                    restored.window().orElseThrow(),
                    new PackingWindow(spec, 1)));
    assertThat(restored.snapshot()).isEqualTo(packer.snapshot());
    return restored;
  }

  private static DatasetSpec spec(int sequenceLength, String mode, int window, int padTo) {
    return DatasetSpec.newBuilder(TestingDatasets.dataset(sequenceLength, 1, 0))
        .setPacking(mode)
        .setPackingWindow(window)
        .setPadDocumentsTo(padTo)
        .build();
  }
}
