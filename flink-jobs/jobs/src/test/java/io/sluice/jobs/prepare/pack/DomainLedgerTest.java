package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DomainLedgerTest {
  private final List<OutputRecord> output = new ArrayList<>();

  /** What the events say, whatever the packing makes of them. */
  private int refused;

  private int withoutTokens;
  private int heldOut;
  private int heldOutTokens;
  private int trained;
  private int trainedTokens;

  @ParameterizedTest
  @ValueSource(strings = {"concat", "best-fit", "padded"})
  void everythingThatCameIsSomewhereAtEveryEventAlsoAfterARestart(String packing) {
    DatasetSpec spec = dataset(packing);
    TestingSlots slots = new TestingSlots();
    DomainPacking here = packing(spec, slots, CommittedSupply.NONE);
    for (DomainEvent event : events()) {
      count(event);
      here.accept(event);
      assertIsWhatCame(here, event);
      slots = slots.copy();
      DomainPacking restored = packing(spec, slots, here.packed());
      restored.restore(here.snapshot(), here.openBlocks().orElse(null));
      restored.ledger().restore(here.ledger().snapshot().orElseThrow());
      here = restored;
    }
  }

  @Test
  void afterTheEndItIsWhatTheBlocksHold() {
    DatasetSpec spec = dataset("concat");
    DomainPacking packing = packing(spec, new TestingSlots(), CommittedSupply.NONE);
    for (DomainEvent event : events()) {
      packing.accept(event);
    }
    packing.emitSupply();
    Ledger ledger = newestLedger();
    Set<String> ids = new HashSet<>();
    long tokens = 0;
    long padding = 0;
    for (OutputRecord record : output) {
      if (record.topic().contains("blocks")
          && WireCodec.decode(record.value()) instanceof TokenBlock block) {
        for (int part = 0; part < block.getDocumentIds().size(); part++) {
          boolean padded = block.getDocumentIds().get(part).isEmpty();
          ids.add(block.getDocumentIds().get(part));
          tokens += padded ? 0 : block.getDocumentLengths().get(part);
          padding += padded ? block.getDocumentLengths().get(part) : 0;
        }
      }
    }
    ids.remove("");

    assertThat(ledger.getDocuments().getBlocks()).isEqualTo(ids.size()).isGreaterThan(100);
    assertThat(ledger.getTokens().getBlocks()).isEqualTo(tokens);
    assertThat(ledger.getTokens().getPadding()).isEqualTo(padding);
    assertThat(ledger.getDocuments().getBuffered()).isZero();
    assertThat(ledger.getTokens().getBuffered()).isZero();
  }

  @Test
  void aSingleTokenThatIsLeftOverIsBufferedForGood() {
    DatasetSpec spec = dataset("concat");
    DomainPacking packing = packing(spec, new TestingSlots(), CommittedSupply.NONE);
    packing.accept(document("a", false, "12345678"));
    packing.accept(new CorpusEnded("java"));
    packing.emitSupply();

    assertThat(newestLedger().getDocuments())
        .isEqualTo(LedgerCounts.newBuilder().setIn(1).setBlocks(1).build());
    assertThat(newestLedger().getTokens())
        .isEqualTo(LedgerCounts.newBuilder().setIn(9).setBlocks(8).setBuffered(1).build());
  }

  @Test
  void isUnknownForGoodBehindDocumentsThatNobodyCounted() {
    DatasetSpec spec = dataset("concat");
    TestingSlots slots = new TestingSlots();
    DomainPacking counted = packing(spec, slots, CommittedSupply.NONE);
    counted.accept(document("a", false, "aa"));

    DomainPacking restored = packing(spec, slots.copy(), counted.packed());
    restored.restore(counted.snapshot(), null);
    restored.accept(document("b", false, "bb"));
    restored.emitSupply();

    assertThat(supply()).isNotEmpty().allSatisfy(each -> assertThat(each.getLedger()).isNull());
    assertThat(restored.ledger().snapshot()).isEmpty();
  }

  @Test
  void oneLaneOfADomainHasIt() {
    DatasetSpec lanes = DatasetSpec.newBuilder(dataset("concat")).setLanes(3).build();
    DomainPacking packing = packing(lanes, new TestingSlots(), CommittedSupply.NONE);
    packing.accept(document("a", false, "aa"));
    packing.emitSupply();

    assertThat(supply())
        .extracting(each -> each.getLedger() != null)
        .containsExactly(true, false, false);
  }

  @Test
  void refusesToGoOnWhereATokenIsLost() {
    DatasetSpec spec = dataset("concat");
    DomainLedger ledger = new DomainLedger(spec, "java");
    ledger.shuffle(5);
    ledger.pack(5);

    assertThatThrownBy(() -> ledger.counts(1, 0, new BlockPacker(spec, "java", lineage -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "dataset 'demo', domain 'java': tokens that were packed are 5, but 0 are found: one was"
                + " lost or went twice");
  }

  private void assertIsWhatCame(DomainPacking packing, DomainEvent event) {
    Ledger ledger = packing.counts().orElseThrow();
    LedgerCounts documents = ledger.getDocuments();
    LedgerCounts tokens = ledger.getTokens();
    assertThat(sum(documents)).as("after %s", event).isEqualTo(documents.getIn());
    assertThat(sum(tokens)).as("after %s", event).isEqualTo(tokens.getIn());
    assertThat(documents.getIn()).isEqualTo(refused + withoutTokens + heldOut + trained);
    assertThat(documents.getDeadLetters()).isEqualTo(refused + withoutTokens);
    assertThat(documents.getHeldOut()).isEqualTo(heldOut);
    assertThat(tokens.getIn() - tokens.getPadding()).isEqualTo(heldOutTokens + trainedTokens);
    assertThat(tokens.getHeldOut()).isEqualTo(heldOutTokens);
  }

  static long sum(LedgerCounts counts) {
    return counts.getBlocks()
        + counts.getPadding()
        + counts.getHeldOut()
        + counts.getBuffered()
        + counts.getDuplicates()
        + counts.getForgotten()
        + counts.getDeadLetters();
  }

  private void count(DomainEvent event) {
    if (event instanceof TokenizedDocument document) {
      int tokens = document.tokens().length / 2 + 1;
      if (tokens == 1) {
        withoutTokens++;
      } else if (document.heldOut()) {
        heldOut++;
        heldOutTokens += tokens;
      } else {
        trained++;
        trainedTokens += tokens;
      }
    } else if (event instanceof DocumentRefused) {
      refused++;
    }
  }

  private static List<DomainEvent> events() {
    Random random = new Random(7);
    List<DomainEvent> events = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      boolean isRefused = random.nextInt(10) == 0;
      String text = "x".repeat(random.nextInt(25));
      events.add(
          isRefused
              ? new DocumentRefused("java")
              : document("d" + i, random.nextInt(5) == 0, text));
    }
    events.add(new CorpusEnded("java"));
    return events;
  }

  private static TokenizedDocument document(String id, boolean heldOut, String text) {
    return new TokenizedDocument(
        "java", heldOut, 0, id, TestingDatasets.encode(text), TokenizedDocument.ALL);
  }

  private static DatasetSpec dataset(String packing) {
    DatasetSpec plain = TestingDatasets.dataset(7, 4, 0);
    return packing.equals("concat")
        ? plain
        : DatasetSpec.newBuilder(plain)
            .setPacking(PackingSettings.BEST_FIT)
            .setPackingWindow(3)
            .setPadDocumentsTo(packing.equals("padded") ? 4 : 1)
            .build();
  }

  private DomainPacking packing(DatasetSpec spec, TestingSlots slots, CommittedSupply committed) {
    return new DomainPacking(
        spec, Topics.standard(), "java", slots, committed, Decisions.none(), () -> 0, output::add);
  }

  private Ledger newestLedger() {
    List<Supply> said = supply();
    return said.get(said.size() - 1).getLedger();
  }

  private List<Supply> supply() {
    return output.stream()
        .map(record -> WireCodec.decode(record.value()))
        .filter(Supply.class::isInstance)
        .map(Supply.class::cast)
        .toList();
  }
}
