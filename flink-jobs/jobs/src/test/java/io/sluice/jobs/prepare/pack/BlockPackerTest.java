package io.sluice.jobs.prepare.pack;

import static io.sluice.jobs.prepare.pack.TestingDocuments.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockPackerTest {
  private static final int END = 256;
  private static final int PADDING = 257;

  private final List<TokenBlock> blocks = new ArrayList<>();

  @Test
  void concatenatesDocumentsAndCutsThemIntoBlocks() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(4, 1, 0), "java", lineage -> {});

    append(packer, "a", TestingDatasets.encode("abc"), blocks::add);
    append(packer, "b", TestingDatasets.encode("defgh"), blocks::add);

    assertThat(blocks).hasSize(2);
    assertThat(TestingDatasets.tokens(blocks.get(0))).containsExactly('a', 'b', 'c', END, 'd');
    assertThat(blocks.get(0).getDocumentLengths()).containsExactly(4, 1);
    assertThat(blocks.get(0).getDocumentIds()).containsExactly("a", "b");
    assertThat(TestingDatasets.tokens(blocks.get(1))).containsExactly('e', 'f', 'g', 'h', END);
    assertThat(blocks.get(1).getDocumentLengths()).containsExactly(5);
    assertThat(blocks.get(1).getDocumentIds()).containsExactly("b");
    assertThat(blocks).extracting(TokenBlock::getOrdinal).containsExactly(0L, 1L);
    assertThat(blocks).allSatisfy(block -> assertThat(block.getTrainedTokens()).isEqualTo(4));
    assertThat(blocks).allSatisfy(block -> assertThat(block.getLossMask()).isNull());
    assertThat(packer.finish()).isEmpty();
  }

  @Test
  void cutsBetweenADocumentAndItsEndToken() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(2, 1, 0), "java", lineage -> {});

    append(packer, "a", TestingDatasets.encode("abc"), blocks::add);
    append(packer, "b", TestingDatasets.encode("d"), blocks::add);

    assertThat(TestingDatasets.tokens(blocks.get(1))).containsExactly(END, 'd', END);
    assertThat(blocks.get(1).getDocumentLengths()).containsExactly(1, 2);
    assertThat(blocks.get(1).getDocumentIds()).containsExactly("a", "b");
  }

  @Test
  void keepsTwoDocumentsOfOneIdApart() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(3, 1, 0), "java", lineage -> {});

    append(packer, "a", TestingDatasets.encode("x"), blocks::add);
    append(packer, "a", TestingDatasets.encode("y"), blocks::add);

    assertThat(blocks.get(0).getDocumentLengths()).containsExactly(2, 2);
  }

  @Test
  void aBlockOfManyLongIdsFitsItsTopic() {
    int documents = 1 << 12;
    BlockPacker packer =
        new BlockPacker(TestingDatasets.dataset(2 * documents - 1, 1, 0), "java", lineage -> {});
    for (int i = 0; i < documents; i++) {
      append(packer, "x" + "é".repeat(2040), TestingDatasets.encode("a"), blocks::add);
    }
    assertThat(blocks).hasSize(1);
    // 2 KiB for each, of which an 'x' and whole characters of two bytes take one less.
    assertThat(blocks.get(0).getDocumentIds())
        .hasSize(documents)
        .containsOnly("x" + "é".repeat(1023));
    assertThat(WireCodec.encode(blocks.get(0))).hasSizeLessThan(TopicAdmin.BLOCK_BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 1024})
  void lineageOfManyLongIdsFitsItsTopicAndKeepsTheirHashes(int bytes) {
    int documents = 1 << 16;
    DatasetSpec spec =
        DatasetSpec.newBuilder(TestingDatasets.dataset(2 * documents - 1, 1, 0))
            .setDocumentIds("hashes")
            .build();
    List<BlockLineage> lineage = new ArrayList<>();
    BlockPacker packer = new BlockPacker(spec, "java", lineage::add);
    String id = "x".repeat(bytes - 5);
    for (int i = 0; i < documents; i++) {
      append(packer, id + (10_000 + i), TestingDatasets.encode("a"), blocks::add);
    }
    assertThat(blocks).hasSize(1);
    assertThat(blocks.get(0).getDocumentIds())
        .hasSize(documents)
        .startsWith(IdHash.of("java", id + 10_000))
        .endsWith(IdHash.of("java", id + (10_000 + documents - 1)));
    assertThat(WireCodec.encode(blocks.get(0))).hasSizeLessThan(2 << 20);
    assertThat(lineage).hasSize(1);
    assertThat(IdHash.all(lineage.get(0).getHashes())).isEqualTo(blocks.get(0).getDocumentIds());
    assertThat(lineage.get(0).getWhole()).isFalse();
    assertThat(lineage.get(0).getNames()).hasSize(documents).containsOnly("x".repeat(128));
    assertThat(WireCodec.encode(lineage.get(0))).hasSizeLessThan(TopicAdmin.BLOCK_BYTES);
  }

  @Test
  void padsTheLastBlockAndMasksThePadding() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(6, 1, 0), "java", lineage -> {});
    append(packer, "a", TestingDatasets.encode("ab"), blocks::add);

    TokenBlock last = packer.finish().get(0);

    assertThat(TestingDatasets.tokens(last))
        .containsExactly('a', 'b', END, PADDING, PADDING, PADDING, PADDING);
    assertThat(last.getDocumentLengths()).containsExactly(3, 4);
    assertThat(last.getDocumentIds()).containsExactly("a", "");
    assertThat(last.getTrainedTokens()).isEqualTo(2);
    assertThat(last.getLossMask()).containsExactly(2, 4);
    assertThat(packer.blocks()).isEqualTo(1);
    assertThat(packer.trainedTokens()).isEqualTo(2);
  }

  @Test
  void masksASingleLabelWhenOneTokenIsMissing() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(3, 1, 0), "java", lineage -> {});
    append(packer, "a", TestingDatasets.encode("ab"), blocks::add);

    TokenBlock last = packer.finish().get(0);

    assertThat(last.getLossMask()).containsExactly(2, 1);
    assertThat(last.getDocumentLengths()).containsExactly(3, 1);
  }

  @Test
  void dropsALastBlockWithoutALabel() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(3, 1, 0), "java", lineage -> {});
    append(packer, "a", TestingDatasets.encode("abcd"), blocks::add);

    assertThat(packer.finish()).isEmpty();
    assertThat(packer.blocks()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 31, 64})
  void everyTokenIsInExactlyOneBlock(int sequenceLength) {
    BlockPacker packer =
        new BlockPacker(TestingDatasets.dataset(sequenceLength, 1, 0), "java", lineage -> {});
    List<Integer> expected = new ArrayList<>();
    for (TokenizedDocument document : TestingDatasets.documents("java", 50, 0)) {
      append(packer, document.id(), document.tokens(), blocks::add);
      TestingDatasets.utf8(document.tokens()).chars().filter(c -> c != 0).forEach(expected::add);
      expected.add(END);
    }
    int full = blocks.size();
    packer.finish().forEach(blocks::add);

    List<Integer> packed = new ArrayList<>();
    for (TokenBlock block : blocks) {
      assertThat(block.getDocumentLengths().stream().mapToInt(i -> i).sum())
          .isEqualTo(sequenceLength + 1);
      assertThat(block.getDocumentIds()).hasSameSizeAs(block.getDocumentLengths());
      for (int token : TestingDatasets.tokens(block)) {
        if (token != PADDING) {
          packed.add(token);
        }
      }
    }
    assertThat(packed).isEqualTo(expected.subList(0, packed.size()));
    assertThat(expected.size() - packed.size()).isLessThanOrEqualTo(1);
    assertThat(packer.blocks()).isEqualTo(blocks.size()).isBetween((long) full, full + 1L);
  }

  @Test
  void aDocumentOfManyBlocksIsOnePartOfEach() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(99, 1, 0), "java", lineage -> {});

    append(packer, "long", TestingDatasets.encode("x".repeat(1_000_000)), blocks::add);

    assertThat(blocks).hasSize(10_000);
    assertThat(blocks)
        .allSatisfy(block -> assertThat(block.getDocumentLengths()).containsExactly(100));
  }

  @Test
  void fourByteTokensAreLittleEndian() {
    DatasetSpec wide = DatasetSpec.newBuilder(TestingDatasets.dataset(1, 1, 0)).build();
    wide.setTokenWidth(4);
    wide.setEndOfDocument(0x01020304);

    append(new BlockPacker(wide, "java", lineage -> {}), "a", new byte[] {5, 0, 0, 0}, blocks::add);

    assertThat(blocks.get(0).getTokens().array()).containsExactly(5, 0, 0, 0, 4, 3, 2, 1);
  }

  @Test
  void restoredEqualsNeverStoppedAtEveryDocument() {
    DatasetSpec spec = TestingDatasets.dataset(13, 1, 0);
    BlockPacker packer = new BlockPacker(spec, "java", lineage -> {});
    List<TokenBlock> restored = new ArrayList<>();
    BlockPacker stopped = new BlockPacker(spec, "java", lineage -> {});

    for (TokenizedDocument document : TestingDatasets.documents("java", 60, 0)) {
      append(packer, document.id(), document.tokens(), blocks::add);
      stopped = new BlockPacker(spec, "java", lineage -> {}).restore(stopped.snapshot());
      append(stopped, document.id(), document.tokens(), restored::add);
      assertThat(stopped.snapshot()).isEqualTo(packer.snapshot());
    }

    assertThat(restored).isEqualTo(blocks).hasSizeGreaterThan(50);
    assertThat(stopped.finish()).isEqualTo(packer.finish());
    assertThat(stopped.trainedTokens()).isEqualTo(packer.trainedTokens());
  }

  @Test
  void refusesStateOfAnotherVersion() {
    DatasetSpec spec = TestingDatasets.dataset(13, 1, 0);
    byte[] snapshot = new BlockPacker(spec, "java", lineage -> {}).snapshot();
    snapshot[0] = 9;

    assertThatThrownBy(() -> new BlockPacker(spec, "java", lineage -> {}).restore(snapshot))
        .hasMessage("block packer state must be of version [1, 3]: 9");
  }

  @Test
  void theEndOfADocumentCountsAsItsLastTokenDoes() {
    BlockPacker packer = new BlockPacker(TestingDatasets.dataset(4, 1, 0), "java", lineage -> {});

    packer.append("a", ByteBuffer.wrap(TestingDatasets.encode("ppaa")), runs(0, 2, 2), blocks::add);
    packer.append("b", ByteBuffer.wrap(TestingDatasets.encode("aap")), runs(2, 1), blocks::add);
    packer.append("c", ByteBuffer.wrap(TestingDatasets.encode("pppp")), runs(0), blocks::add);
    packer.append("d", ByteBuffer.wrap(TestingDatasets.encode("d")), runs(), blocks::add);
    packer.finish().forEach(blocks::add);

    assertThat(blocks)
        .extracting(TokenBlock::getLossMask)
        .containsExactly(List.of(0, 1, 3), List.of(1, 3), List.of(0, 3, 1));
    assertThat(blocks).extracting(TokenBlock::getTrainedTokens).containsExactly(3, 1, 1);
    assertThat(packer.trainedTokens()).isEqualTo(5);
  }

  @Test
  void restoredEqualsNeverStoppedWhereNotAllTokensCount() {
    DatasetSpec spec = TestingDatasets.dataset(13, 1, 0);
    BlockPacker packer = new BlockPacker(spec, "java", lineage -> {});
    List<TokenBlock> restored = new ArrayList<>();
    BlockPacker stopped = new BlockPacker(spec, "java", lineage -> {});

    for (TokenizedDocument document : TestingDatasets.documents("java", 60, 0)) {
      int tokens = document.tokens().length / 2;
      int[] counted = runs(0, tokens / 3, tokens / 2);
      packer.append(document.id(), ByteBuffer.wrap(document.tokens()), counted, blocks::add);
      stopped = new BlockPacker(spec, "java", lineage -> {}).restore(stopped.snapshot());
      stopped.append(document.id(), ByteBuffer.wrap(document.tokens()), counted, restored::add);
    }

    assertThat(restored).isEqualTo(blocks).hasSizeGreaterThan(50);
    assertThat(stopped.finish()).isEqualTo(packer.finish());
  }

  private static int[] runs(int... runs) {
    return runs;
  }
}
