package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** State that an earlier version has written must be read by this one. */
class StateFormatTest {
  private static final DatasetSpec SPEC = TestingDatasets.dataset(4, 2, 0.1);
  private static final String PACKING_1 =
      "010000000000000004000000000200000000000000010000002401000000000000000100"
          + "00000000000004000000020001000000010000000100000001630000002a010000000000"
          + "000000000000000000000000000008650066006700000100000001000000040000000162";
  private static final String PACKING_3 =
      "030000000000000005000000000300000000000000020000002a01000000000000000100000000000000080000000469000001000000010000000200000005656667686900000019010000000000000000000000000000000000000000000000000000000000000000";
  private static final String PACKING_4 =
      "04000000000000000300000000020000000000000000000000190100000000000000000000000000"
          + "00000000000000000000000000002a01000000000000000000000000000000000000000865006600"
          + "67000001000000010000000400000001620000000000000000000000000000000300";
  private static final String PACKING_2 =
      "0200000000000000030000000001000000000000000100000019010000000000000001000000000000000400000000000000000000002a0100000000000000000000000000000000000000086500660067000001000000010000000400000001620000000000000002";

  private static final String PACKING_5 =
      "050000000000000005000000000200000000000000010000002a0100000000000000000000000000"
          + "000000000000086d006e006f000001000000010000000400000001640000002a0100000000000000"
          + "00000000000000000000000008650066006700000100000001000000040000000162000000000000"
          + "000000000000000000000000000001";
  private static final String LEDGER_2 =
      "02000000000000000000000000000000000000000000000001000000000000000400000000000000"
          + "03000000000000000c00000000000000010000000000000004000000000000000100000000000000"
          + "06";

  private static final String PACKER_3 =
      "0300000000000000020000000000000008000000086b0000016d00000100000002000000"
          + "020000000161000000020000000162000000000000000001000000040000000a00000002"
          + "0b9c094d20aabb3f0000000000000002187355b101e4d1f60000000000000000";
  private static final String WINDOW_2 =
      "0200000001000000086b0000016d00000100000002000000020000000161000000020000"
          + "000162000000000000000001000000040000000a000000020b9c094d20aabb3f00000000"
          + "00000002187355b101e4d1f600000000";

  @Test
  void domainPackingOfVersionOne() {
    List<OutputRecord> output = new ArrayList<>();
    TestingSlots slots = new TestingSlots();
    DomainPacking packing = packing(slots, CommittedSupply.NONE, output);
    packing.accept(document("a", false, "abcd"));
    packing.accept(document("b", true, "efg"));
    packing.accept(document("c", false, "hijkl"));
    packing.accept(document("d", false, "m"));
    assertThat(HexFormat.of().formatHex(packing.snapshot())).isEqualTo(PACKING_1);

    List<OutputRecord> later = new ArrayList<>();
    DomainPacking restored = packing(slots.copy(), packing.packed(), later);
    restored.restore(HexFormat.of().parseHex(PACKING_1), null);
    assertEndsAlike(packing, output, restored, later, 3);
  }

  @Test
  void domainPackingOfVersionTwoKnowsTheLastRelease() {
    List<OutputRecord> output = new ArrayList<>();
    TestingSlots slots = new TestingSlots();
    DomainPacking packing = packing(slots, CommittedSupply.NONE, output);
    packing.accept(document("a", false, "abcd"));
    packing.accept(document("b", true, "efg"));
    packing.release();
    packing.accept(document("c", false, "hijkl"));
    assertThat(HexFormat.of().formatHex(packing.snapshot())).isEqualTo(PACKING_2);

    List<OutputRecord> later = new ArrayList<>();
    Decisions decisions = Decisions.none();
    decisions.releases().add(2);
    DomainPacking restored = packing(slots.copy(), packing.packed(), decisions, later);
    restored.restore(HexFormat.of().parseHex(PACKING_2), null);
    assertEndsAlike(packing, output, restored, later, 2);
  }

  @Test
  void domainPackingOfVersionThreeGoesOnBehindItsEnd() {
    DatasetSpec all = TestingDatasets.dataset(8, ShuffleSettings.GLOBAL, 0);
    List<OutputRecord> output = new ArrayList<>();
    TestingSlots slots = new TestingSlots();
    DomainPacking packing = packing(all, slots, CommittedSupply.NONE, Decisions.none(), output);
    for (String text : List.of("abcd", "efghi", "j", "klmnop", "q")) {
      packing.accept(document(text, false, text));
    }
    packing.accept(new CorpusEnded("java"));
    packing.draw(1);
    packing.draw(1);
    assertThat(HexFormat.of().formatHex(packing.snapshot())).isEqualTo(PACKING_3);

    List<OutputRecord> later = new ArrayList<>();
    DomainPacking restored = packing(all, slots.copy(), packing.packed(), Decisions.none(), later);
    restored.restore(HexFormat.of().parseHex(PACKING_3), null);
    assertThat(restored.draining()).isTrue();
    restored.draw(Long.MAX_VALUE);
    int before = output.size();
    packing.draw(Long.MAX_VALUE);

    assertThat(restored.draining()).isFalse();
    assertThat(later)
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(output.subList(before, output.size()))
        .hasSizeGreaterThan(2);
  }

  @Test
  void domainPackingOfVersionFiveKnowsHowOftenDocumentsWereForgotten() {
    List<OutputRecord> output = new ArrayList<>();
    TestingSlots slots = new TestingSlots();
    Decisions decisions = Decisions.none();
    DomainPacking packing = packing(slots, CommittedSupply.NONE, decisions, output);
    packing.accept(document("a", false, "abcd"));
    packing.accept(document("b", true, "efg"));
    packing.forget(TestingDatasets.keys("java", List.of("a", "c")));
    packing.accept(document("c", false, "hijkl"));
    packing.accept(document("d", false, "mno"));
    packing.accept(document("e", false, "pq"));
    assertThat(HexFormat.of().formatHex(packing.snapshot())).isEqualTo(PACKING_5);
    assertThat(HexFormat.of().formatHex(packing.ledger().snapshot().orElseThrow()))
        .isEqualTo(LEDGER_2);

    List<OutputRecord> later = new ArrayList<>();
    DomainPacking restored = packing(slots.copy(), packing.packed(), decisions, later);
    restored.restore(HexFormat.of().parseHex(PACKING_5), null);
    restored.ledger().restore(HexFormat.of().parseHex(LEDGER_2));
    assertThat(restored.counts()).isEqualTo(packing.counts()).isPresent();
    assertEndsAlike(packing, output, restored, later, 2);
  }

  @Test
  void domainPackingOfVersionFourKnowsTheLastRangeThatWasRefused() {
    List<OutputRecord> output = new ArrayList<>();
    TestingSlots slots = new TestingSlots();
    DomainPacking packing = packing(slots, CommittedSupply.NONE, output);
    packing.accept(document("a", false, "abcd"));
    packing.accept(document("b", true, "efg"));
    packing.accept(new RangeRefused("java", 2, 10, "/data is missing"));
    packing.accept(document("c", false, "hijkl"));
    assertThat(HexFormat.of().formatHex(packing.snapshot())).isEqualTo(PACKING_4);

    List<OutputRecord> later = new ArrayList<>();
    Decisions decisions = Decisions.none();
    decisions.refusedRanges().add(3);
    DomainPacking restored = packing(slots.copy(), packing.packed(), decisions, later);
    restored.restore(HexFormat.of().parseHex(PACKING_4), null);
    assertEndsAlike(packing, output, restored, later, 2);
  }

  @Test
  void ofVersionThreeAPackerKnowsWhichTokensOfADocumentItHas() {
    for (String mode : List.of("concat", "best-fit")) {
      DatasetSpec spec =
          DatasetSpec.newBuilder(SPEC)
              .setDocumentIds("hashes")
              .setPacking(mode)
              .setPackingWindow(mode.equals("concat") ? 0 : 2)
              .build();
      List<BlockLineage> lineage = new ArrayList<>();
      List<TokenBlock> blocks = new ArrayList<>();
      BlockPacker packer = new BlockPacker(spec, "java", lineage::add);
      packer.append("a", tokens("abcdefghijk"), TokenizedDocument.ALL, blocks::add);
      packer.append("b", tokens("m"), TokenizedDocument.ALL, blocks::add);
      List<BlockLineage> later = new ArrayList<>();
      BlockPacker restored = new BlockPacker(spec, "java", later::add);
      PackingWindow other = new PackingWindow(spec, 1);
      if (mode.equals("concat")) {
        assertThat(HexFormat.of().formatHex(packer.snapshot())).isEqualTo(PACKER_3);
        restored.restore(HexFormat.of().parseHex(PACKER_3));
      } else {
        PackingWindow window = packer.window().orElseThrow();
        byte[] open = PackingWindow.snapshot(window, other);
        assertThat(HexFormat.of().formatHex(open)).isEqualTo(WINDOW_2);
        restored.restore(packer.snapshot());
        PackingWindow.restore(
            HexFormat.of().parseHex(WINDOW_2), restored.window().orElseThrow(), other);
      }
      int before = lineage.size();
      assertThat(restored.finish()).isEqualTo(packer.finish()).isNotEmpty();
      assertThat(later).isEqualTo(lineage.subList(before, lineage.size())).isNotEmpty();
    }
  }

  private static ByteBuffer tokens(String text) {
    return ByteBuffer.wrap(TestingDatasets.encode(text));
  }

  private static void assertEndsAlike(
      DomainPacking packing,
      List<OutputRecord> output,
      DomainPacking restored,
      List<OutputRecord> later,
      int least) {
    restored.accept(new CorpusEnded("java"));
    int before = output.size();
    packing.accept(new CorpusEnded("java"));

    assertThat(later)
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(output.subList(before, output.size()))
        .hasSizeGreaterThan(least);
  }

  private static DomainPacking packing(
      TestingSlots slots, CommittedSupply committed, List<OutputRecord> output) {
    return packing(slots, committed, Decisions.none(), output);
  }

  private static DomainPacking packing(
      TestingSlots slots,
      CommittedSupply committed,
      Decisions decisions,
      List<OutputRecord> output) {
    return packing(SPEC, slots, committed, decisions, output);
  }

  private static DomainPacking packing(
      DatasetSpec spec,
      TestingSlots slots,
      CommittedSupply committed,
      Decisions decisions,
      List<OutputRecord> output) {
    return new DomainPacking(
        spec, Topics.standard(), "java", slots, committed, decisions, () -> 0, output::add);
  }

  private static TokenizedDocument document(String id, boolean heldOut, String text) {
    return new TokenizedDocument(
        "java", heldOut, 0, id, TestingDatasets.encode(text), TokenizedDocument.ALL);
  }
}
