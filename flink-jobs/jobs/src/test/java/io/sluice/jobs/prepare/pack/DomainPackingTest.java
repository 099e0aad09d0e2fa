package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Ledger;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;

class DomainPackingTest {
  private static final Topics TOPICS = Topics.standard();
  private static final double HELD_OUT = 0.2;
  private static final DatasetSpec SPEC = TestingDatasets.dataset(16, 10, HELD_OUT);
  private static final List<TokenizedDocument> DOCUMENTS =
      TestingDatasets.documents("java", 200, HELD_OUT);

  private static final Ledger NOTHING =
      new Ledger(LedgerCounts.newBuilder().build(), LedgerCounts.newBuilder().build());
  private final List<OutputRecord> output = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong(1_000);

  @Test
  void supplyNeverExceedsWhatWasEmittedBeforeIt() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    for (TokenizedDocument document : DOCUMENTS) {
      packing.accept(document);
      packing.emitSupply();
    }
    packing.accept(new CorpusEnded("java"));
    packing.emitSupply();

    long blocks = 0;
    long evalBlocks = 0;
    long trained = 0;
    long documents = 0;
    boolean ended = false;
    for (OutputRecord message : output) {
      SpecificRecordBase value = WireCodec.decode(message.value());
      if (value instanceof Supply supply) {
        documents = Math.min(documents + 1, DOCUMENTS.size());
        assertThat(supply)
            .isEqualTo(
                new Supply(
                    "demo",
                    SPEC.getFingerprint(),
                    "java",
                    0,
                    blocks,
                    evalBlocks,
                    trained,
                    documents,
                    ended,
                    supply.getShuffled(),
                    supply.getPadding(),
                    supply.getLedger()));
        assertThat(TestingDatasets.utf8(message.key())).isEqualTo("java/0");
      } else if (value instanceof TokenBlock block
          && message.topic().equals("sluice.blocks.demo.java")) {
        assertThat(message.timestamp()).isEqualTo(blocks++);
        trained += block.getTrainedTokens();
      } else if (value instanceof TokenBlock) {
        assertThat(message.topic()).isEqualTo("sluice.eval.demo.java");
        assertThat(message.timestamp()).isEqualTo(evalBlocks++);
      } else {
        ended = value instanceof EndOfDomain;
      }
    }
    assertThat(ended).isTrue();
    assertThat(blocks).isGreaterThan(100);
    assertThat(evalBlocks).isGreaterThan(20);
  }

  @Test
  void theMarkersFollowTheLastBlocks() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    DOCUMENTS.forEach(packing::accept);
    packing.accept(new CorpusEnded("java"));

    for (String topic : List.of("sluice.blocks.demo.java", "sluice.eval.demo.java")) {
      List<OutputRecord> lane = output.stream().filter(r -> r.topic().equals(topic)).toList();
      OutputRecord last = lane.get(lane.size() - 1);
      assertThat(last.timestamp()).isEqualTo(lane.size() - 1);
      assertThat(WireCodec.decode(EndOfDomain.class, last.value()))
          .isEqualTo(new EndOfDomain("java", 0, (long) lane.size() - 1));
    }
  }

  @Test
  void blocksSayWhenTheyWerePackedAndAreTheSameOtherwise() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    events().forEach(packing::accept);
    List<TokenBlock> blocks = blocks(output);
    output.clear();
    clock.set(2_000);
    DomainPacking later = packing(CommittedSupply.NONE);
    events().forEach(later::accept);

    assertThat(blocks).extracting(TokenBlock::getProducedAtMillis).containsOnly(1_000L);
    assertThat(blocks(output))
        .allSatisfy(block -> assertThat(block.getProducedAtMillis()).isEqualTo(2_000))
        .map(block -> TokenBlock.newBuilder(block).setProducedAtMillis(1_000).build())
        .containsExactlyElementsOf(blocks);
  }

  @Test
  void lanesTakeBlocksInTurnAndSayHowManyTheyHave() {
    DatasetSpec three = DatasetSpec.newBuilder(SPEC).setLanes(3).build();
    DomainPacking lanes =
        new DomainPacking(
            three,
            Topics.standard(),
            "java",
            new TestingSlots(),
            CommittedSupply.NONE,
            Decisions.none(),
            clock::get,
            output::add);
    DOCUMENTS.forEach(lanes::accept);
    lanes.accept(new CorpusEnded("java"));
    lanes.emitSupply();
    List<TokenBlock> shared = blocks(output);
    List<Supply> supply = new ArrayList<>();
    for (OutputRecord message : output) {
      SpecificRecordBase value = WireCodec.decode(message.value());
      if (value instanceof Supply last) {
        supply.add(last);
      } else if (value instanceof EndOfDomain end) {
        assertThat(message.partition()).isEqualTo(end.getLane());
        assertThat(message.timestamp()).isEqualTo(end.getSize());
      } else {
        assertThat(message.partition()).isEqualTo(((TokenBlock) value).getLane());
        assertThat(message.timestamp()).isEqualTo(((TokenBlock) value).getOrdinal());
      }
    }
    output.clear();
    DomainPacking one = packing(CommittedSupply.NONE);
    DOCUMENTS.forEach(one::accept);
    one.accept(new CorpusEnded("java"));

    assertThat(shared)
        .extracting(TokenBlock::getTokens)
        .isEqualTo(blocks(output).stream().map(TokenBlock::getTokens).toList());
    assertThat(shared).extracting(TokenBlock::getLane).startsWith(0, 1, 2, 0, 1, 2);
    assertThat(shared).extracting(TokenBlock::getOrdinal).startsWith(0L, 0L, 0L, 1L, 1L, 1L);
    assertThat(supply).extracting(Supply::getLane).containsExactly(0, 1, 2);
    assertThat(supply.stream().mapToLong(Supply::getBlocks).sum()).isEqualTo(shared.size());
    assertThat(supply)
        .extracting(Supply::getBlocks)
        .allMatch(blocks -> blocks / (shared.size() / 3) == 1);
  }

  private static List<TokenBlock> blocks(List<OutputRecord> output) {
    return output.stream()
        .filter(message -> message.topic().equals("sluice.blocks.demo.java"))
        .map(message -> WireCodec.decode(message.value()))
        .filter(TokenBlock.class::isInstance)
        .map(TokenBlock.class::cast)
        .toList();
  }

  @Test
  void heldOutDocumentsAreInNoTrainingBlock() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    DOCUMENTS.forEach(packing::accept);
    packing.accept(new CorpusEnded("java"));

    Set<String> heldOut = ids("sluice.eval.demo.java");
    Set<String> trained = ids("sluice.blocks.demo.java");
    for (TokenizedDocument document : DOCUMENTS) {
      boolean empty = document.tokens().length == 0;
      assertThat(heldOut.contains(document.id())).isEqualTo(document.heldOut() && !empty);
      assertThat(trained.contains(document.id())).isEqualTo(!document.heldOut() && !empty);
    }
  }

  @Test
  void supplySaysHowManyDocumentsWaitInTheShuffleBuffer() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    List<Long> shuffled = new ArrayList<>();
    for (TokenizedDocument document : DOCUMENTS.subList(0, 40)) {
      packing.accept(document);
      packing.emitSupply();
    }
    packing.accept(new CorpusEnded("java"));
    packing.emitSupply();
    output.stream()
        .map(record -> WireCodec.decode(record.value()))
        .filter(Supply.class::isInstance)
        .forEach(supply -> shuffled.add(((Supply) supply).getShuffled()));
    long first = DOCUMENTS.get(0).heldOut() || DOCUMENTS.get(0).tokens().length == 0 ? 0 : 1;
    assertThat(shuffled).startsWith(first).contains(10L).endsWith(10L, 0L);
    assertThat(shuffled.subList(0, 40)).isSorted().allMatch(waiting -> waiting <= 10);
  }

  @Test
  void aDomainWithoutDocumentsHasMarkersOfSizeZero() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    packing.accept(new CorpusEnded("java"));
    packing.emitSupply();

    assertThat(output.stream().map(r -> WireCodec.decode(r.value())))
        .containsExactly(
            new EndOfDomain("java", 0, 0L),
            new EndOfDomain("java", 0, 0L),
            new Supply(
                "demo", SPEC.getFingerprint(), "java", 0, 0L, 0L, 0L, 0L, true, 0L, 0L, NOTHING));
    assertThat(output)
        .extracting(OutputRecord::topic)
        .containsExactly("sluice.blocks.demo.java", "sluice.eval.demo.java", "sluice.supply.demo");
  }

  @Test
  void restoredEqualsNeverStoppedAtEveryDocument() {
    DomainPacking straight = packing(CommittedSupply.NONE);
    DOCUMENTS.forEach(straight::accept);
    straight.accept(new CorpusEnded("java"));
    List<String> expected = rendered();

    output.clear();
    TestingSlots slots = new TestingSlots();
    DomainPacking packing = packing(slots, CommittedSupply.NONE);
    for (DomainEvent event : events()) {
      packing.accept(event);
      slots = slots.copy();
      DomainPacking restored = packing(slots, packing.packed());
      restored.restore(packing.snapshot(), null);
      packing = restored;
    }

    assertThat(rendered()).isEqualTo(expected);
  }

  @Test
  void withoutStateItWritesOnlyWhatIsNotCommitted() {
    DomainPacking straight = packing(CommittedSupply.NONE);
    List<Integer> written = new ArrayList<>();
    List<CommittedSupply> committed = new ArrayList<>();
    for (DomainEvent event : events()) {
      straight.accept(event);
      written.add(output.size());
      committed.add(straight.packed());
    }
    List<String> expected = rendered();

    for (int at = 0; at < written.size(); at++) {
      output.clear();
      DomainPacking again = packing(committed.get(at));
      events().forEach(again::accept);
      assertThat(rendered()).isEqualTo(expected.subList(written.get(at), expected.size()));
    }
  }

  @Test
  void refusesACorpusThatIsNotTheOneThatWasPacked() {
    DomainPacking packing = packing(new CommittedSupply(2, 70, 0, false));
    packing.accept(document("a", "aa"));

    assertThatThrownBy(() -> packing.accept(document("b", "bb")))
        .hasMessage(
            "domain 'java' does not pack as it did: committed are 2 documents, 70 blocks and 0"
                + " held-out blocks, its corpus topic now gives 2 documents, 0 blocks and 0"
                + " held-out blocks");
  }

  @Test
  void refusesACorpusThatEndsEarlierThanItDid() {
    DomainPacking packing = packing(new CommittedSupply(9, 1, 0, false));
    packing.accept(document("a", "aa"));

    assertThatThrownBy(() -> packing.accept(new CorpusEnded("java")))
        .hasMessageStartingWith("domain 'java' does not pack as it did: committed are 9 documents");
  }

  @Test
  void refusesStateWhoseBlocksWereLost() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    packing.accept(document("a", "aa"));
    byte[] snapshot = packing.snapshot();

    assertThatThrownBy(() -> packing(CommittedSupply.NONE).restore(snapshot, null))
        .hasMessageStartingWith("domain 'java': the restored state has packed 1 documents")
        .hasMessageContaining("a transaction expired before it was committed");
  }

  @Test
  void refusesEventsAfterTheEnd() {
    DomainPacking packing = packing(CommittedSupply.NONE);
    packing.accept(new CorpusEnded("java"));

    assertThatThrownBy(() -> packing.accept(document("a", "aa")))
        .hasMessage("domain 'java' goes on after its end marker");
  }

  private static List<DomainEvent> events() {
    List<DomainEvent> events = new ArrayList<>(DOCUMENTS);
    events.add(new CorpusEnded("java"));
    return events;
  }

  private static TokenizedDocument document(String id, String text) {
    return new TokenizedDocument(
        "java", false, 0, id, TestingDatasets.encode(text), TokenizedDocument.ALL);
  }

  private DomainPacking packing(CommittedSupply committed) {
    return packing(new TestingSlots(), committed);
  }

  private DomainPacking packing(TestingSlots slots, CommittedSupply committed) {
    return new DomainPacking(
        SPEC, TOPICS, "java", slots, committed, Decisions.none(), clock::get, output::add);
  }

  private Set<String> ids(String topic) {
    Set<String> ids = new HashSet<>();
    for (OutputRecord message : output) {
      if (message.topic().equals(topic)
          && WireCodec.decode(message.value()) instanceof TokenBlock block) {
        ids.addAll(block.getDocumentIds());
      }
    }
    return ids;
  }

  private List<String> rendered() {
    return output.stream()
        .map(r -> r.topic() + " " + r.timestamp() + " " + WireCodec.decode(r.value()))
        .toList();
  }
}
