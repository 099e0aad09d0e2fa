package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.record.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentsForgotten;
import io.sluice.schema.Ledger;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.set.DocumentKeys;
import io.sluice.schema.set.IdHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;

/** Documents that are forgotten while they are prepared are so at the same place again. */
class ForgettingTest {
  private static final String DOMAIN = "java";
  private static final int DOCUMENTS = 60;
  private static final int SEEDS = Boolean.getBoolean("sluice.full") ? 20_000 : 500;

  /** A job that is killed at any moment, on a log that keeps what was committed. */
  private static final class Job {
    private static final double HELD_OUT = 0.2;

    private final DatasetSpec spec;
    private final List<DomainEvent> events = new ArrayList<>();
    private final TestingPackingLog log;
    private final SplittableRandom random;
    private final List<Checkpoint> checkpoints = new ArrayList<>();
    private DocumentKeys known = DocumentKeys.NONE;
    private DomainPacking packing;
    private TestingSlots slots;
    private int next;

    private record Checkpoint(
        byte[] state,
        Optional<byte[]> open,
        byte[] heldOut,
        byte[] ledger,
        TestingSlots slots,
        int next) {}

    Job(long seed) {
      random = new SplittableRandom(seed);
      spec = dataset(random);
      for (TokenizedDocument each : TestingDatasets.documents(DOMAIN, DOCUMENTS, HELD_OUT)) {
        if (random.nextInt(10) == 0) {
          events.add(new DocumentRefused(DOMAIN));
        }
        events.add(random.nextInt(4) == 0 ? partlyCounted(each) : each);
      }
      if (random.nextInt(4) > 0) {
        events.add(new CorpusEnded(DOMAIN));
      }
      log = new TestingPackingLog(spec);
      start(Optional.empty());
    }

    private static DatasetSpec dataset(SplittableRandom random) {
      int lanes = 1 + random.nextInt(3);
      int buffer = 1 + random.nextInt(12);
      DatasetSpec spec =
          switch (random.nextInt(3)) {
            case 0 -> TestingDatasets.dataset(16, buffer, HELD_OUT, lanes);
            case 1 -> TestingDatasets.dataset(16, ShuffleSettings.GLOBAL, HELD_OUT, lanes);
            default -> TestingDatasets.releasing(16, buffer, HELD_OUT, lanes);
          };
      spec.setDocumentIds(random.nextBoolean() ? IdHash.HASHES : IdHash.NAMES);
      spec.setHeldOutTokens(random.nextInt(3) == 0 ? 100 : 0);
      spec.setPadDocumentsTo(random.nextInt(3) == 0 ? 4 : 1);
      if (random.nextBoolean()) {
        spec.setPacking(PackingSettings.BEST_FIT);
        spec.setPackingWindow(1 + random.nextInt(4));
      }
      return spec;
    }

    private static TokenizedDocument partlyCounted(TokenizedDocument of) {
      int tokens = of.tokens().length / 2;
      int[] counted = tokens < 4 ? TokenizedDocument.ALL : new int[] {0, 2, tokens - 3};
      return new TokenizedDocument(
          of.domain(), of.heldOut(), of.deciding(), of.id(), of.tokens(), counted);
    }

    void run() {
      for (int rest = 20; next < events.size() || packing.draining() || rest-- > 0; ) {
        switch (random.nextInt(12)) {
          case 0 -> checkpoint();
          case 1 -> kill();
          case 2 -> learn();
          case 3 -> release();
          default -> step();
        }
        requireSums();
      }
      checkpoint();
    }

    private DomainPacking packing(TestingPackingLog from, List<OutputRecord> out) {
      boolean straight = out != null;
      return new DomainPacking(
          spec,
          Topics.standard(),
          DOMAIN,
          slots,
          straight ? CommittedSupply.NONE : from.supply(DOMAIN),
          from.decisions(DOMAIN),
          () -> 7,
          straight ? out::add : from::write);
    }

    private void start(Optional<Checkpoint> from) {
      slots = from.map(Checkpoint::slots).map(TestingSlots::copy).orElseGet(TestingSlots::new);
      packing = packing(log, null);
      from.ifPresent(
          state -> {
            packing.restore(state.state(), state.open().orElse(null));
            packing.minimum().restore(state.heldOut());
            packing.ledger().restore(state.ledger());
          });
      next = from.map(Checkpoint::next).orElse(0);
    }

    private void learn() {
      Set<String> ids = new HashSet<>();
      for (int count = 1 + random.nextInt(4); ids.size() < count; ) {
        ids.add(DOMAIN + "-" + random.nextInt(DOCUMENTS + 5));
      }
      known = known.with(TestingDatasets.keys(DOMAIN, ids));
    }

    private void step() {
      packing.forget(known);
      if (packing.draining()) {
        packing.draw(1 + random.nextInt(200));
      } else if (next < events.size()) {
        packing.accept(events.get(next++));
      }
    }

    private void release() {
      if (spec.getShuffleWaitMillis() > 0) {
        packing.forget(known);
        packing.release();
      }
    }

    private void checkpoint() {
      packing.emitSupply();
      checkpoints.add(
          new Checkpoint(
              packing.snapshot(),
              packing.openBlocks(),
              packing.minimum().snapshot(),
              packing.ledger().snapshot().orElseThrow(),
              slots.copy(),
              next));
      log.commit();
    }

    /** Before or within a checkpoint; goes on with its state, an earlier one's, or none. */
    private void kill() {
      if (random.nextBoolean()) {
        packing.emitSupply();
      }
      log.abort();
      int state = random.nextInt(checkpoints.size() + 1);
      start(
          state == 0 ? Optional.empty() : Optional.of(checkpoints.get(checkpoints.size() - state)));
    }

    /** A domain that has ended is counted no more. */
    private void requireSums() {
      if (packing.packed().ended()) {
        return;
      }
      Ledger ledger = packing.counts().orElseThrow();
      assertThat(DomainLedgerTest.sum(ledger.getDocuments()))
          .isEqualTo(ledger.getDocuments().getIn());
      assertThat(DomainLedgerTest.sum(ledger.getTokens())).isEqualTo(ledger.getTokens().getIn());
    }

    /** What one start without state that is never stopped makes of the log's decisions. */
    DomainPacking straight(List<OutputRecord> output) {
      slots = new TestingSlots();
      DomainPacking straight = packing(log, output);
      events.forEach(straight::accept);
      while (straight.draining()) {
        straight.draw(Long.MAX_VALUE);
      }
      // What was decided behind the last event comes with the next thing that happens.
      straight.forget(DocumentKeys.NONE.without(DocumentKeys.NONE));
      return straight;
    }
  }

  @Test
  void killedAnywhereItComesToTheBlocksAndCountsOfOneThatNeverStopped() {
    long forgotten = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Job job = new Job(seed);
      assertThatCode(job::run).as("seed %d", seed).doesNotThrowAnyException();
      List<SpecificRecordBase> committed = job.log.committed();
      List<OutputRecord> output = new ArrayList<>();
      Ledger straight = job.straight(output).counts().orElseThrow();

      assertThat(job.log.blocks()).as("seed %d", seed).isEqualTo(TestingPackingLog.blocks(output));
      assertThat(newest(committed)).as("seed %d", seed).isEqualTo(straight);
      requireNoneBehind(seed, job.spec, committed);
      forgotten += straight.getDocuments().getForgotten();
    }
    assertThat(forgotten).isGreaterThan(10L * SEEDS);
  }

  @Test
  void whatIsForgottenBeforeTheFirstDocumentIsNowhere() {
    Job job = new Job(1);
    List<String> ids =
        TestingDatasets.documents(DOMAIN, DOCUMENTS, 0).stream()
            .filter(each -> each.tokens().length > 0)
            .map(TokenizedDocument::id)
            .limit(3)
            .toList();
    job.known = TestingDatasets.keys(DOMAIN, ids);
    while (job.next < job.events.size() || job.packing.draining()) {
      job.step();
    }
    job.checkpoint();

    assertThat(newest(job.log.committed()).getDocuments().getForgotten()).isEqualTo(3);
    requireNoneBehind(1, job.spec, withDecisionsFirst(job.log.committed()));
  }

  @Test
  void refusesStateThatForgotWhatIsNotCommitted() {
    Job job = new Job(2);
    job.step();
    job.checkpoint();
    job.known = TestingDatasets.keys(DOMAIN, Set.of("java-30"));
    job.step();
    byte[] state = job.packing.snapshot();
    job.log.abort();
    job.start(Optional.empty());

    assertThatThrownBy(() -> job.packing.restore(state, null))
        .hasMessageContaining("start the job without its state");
  }

  @Test
  void whatIsKnownAlreadyIsNotForgottenAgain() {
    Job job = new Job(3);
    job.known = TestingDatasets.keys(DOMAIN, Set.of("java-30", "java-31"));
    assertThat(job.packing.forget(job.known)).isTrue();
    assertThat(job.packing.forget(TestingDatasets.keys(DOMAIN, Set.of("java-31")))).isFalse();
    assertThat(job.packing.forget(TestingDatasets.keys(DOMAIN, Set.of("java-5")))).isTrue();
    job.checkpoint();

    assertThat(job.log.committed())
        .filteredOn(DocumentsForgotten.class::isInstance)
        .extracting(each -> ((DocumentsForgotten) each).getSteps())
        .containsExactly(0L, 1L);
  }

  /** Behind the transaction in which a document was forgotten, it is in no block. */
  private static void requireNoneBehind(
      long seed, DatasetSpec spec, List<SpecificRecordBase> committed) {
    boolean hashes = IdHash.in(spec.getDocumentIds());
    Set<String> forgotten = new HashSet<>();
    for (SpecificRecordBase each : committed) {
      if (each instanceof DocumentsForgotten more) {
        DocumentKeys keys = DocumentKeys.of(DOMAIN, more.getHashes());
        for (int i = 0; i < DOCUMENTS; i++) {
          String id = DOMAIN + "-" + i;
          if (keys.contains(DOMAIN, id)) {
            forgotten.add(hashes ? IdHash.of(DOMAIN, id) : id);
          }
        }
      } else if (each instanceof TokenBlock block) {
        assertThat(block.getDocumentIds()).as("seed %d", seed).noneMatch(forgotten::contains);
      }
    }
  }

  private static List<SpecificRecordBase> withDecisionsFirst(List<SpecificRecordBase> committed) {
    List<SpecificRecordBase> sorted = new ArrayList<>(committed);
    sorted.sort(Comparator.comparing(each -> each instanceof DocumentsForgotten ? 0 : 1));
    return sorted;
  }

  private static Ledger newest(List<SpecificRecordBase> committed) {
    return committed.stream()
        .filter(Supply.class::isInstance)
        .map(each -> ((Supply) each).getLedger())
        .filter(Objects::nonNull)
        .reduce((before, after) -> after)
        .orElseThrow();
  }
}
