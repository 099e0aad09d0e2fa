package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentsForgotten;
import io.sluice.schema.Ledger;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.DocumentKeys;
import io.sluice.schema.set.IdHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;

/** Documents that are forgotten while they are prepared are so at the same place again. */
class ForgettingTest {
  private static final String DOMAIN = TestingJob.DOMAIN;
  private static final int DOCUMENTS = TestingJob.DOCUMENTS;
  private static final int SEEDS = Boolean.getBoolean("sluice.full") ? 20_000 : 500;

  private static TestingJob job(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    DatasetSpec spec = TestingJob.dataset(random);
    List<DomainEvent> events = new ArrayList<>();
    for (TokenizedDocument each :
        TestingDatasets.documents(DOMAIN, DOCUMENTS, TestingJob.HELD_OUT)) {
      if (random.nextInt(10) == 0) {
        events.add(new DocumentRefused(DOMAIN));
      }
      events.add(random.nextInt(4) == 0 ? partlyCounted(each) : each);
    }
    if (random.nextInt(4) > 0) {
      events.add(new CorpusEnded(DOMAIN));
    }
    return new TestingJob(spec, events, random);
  }

  private static TokenizedDocument partlyCounted(TokenizedDocument of) {
    int tokens = of.tokens().length / 2;
    int[] counted = tokens < 4 ? TokenizedDocument.ALL : new int[] {0, 2, tokens - 3};
    return new TokenizedDocument(
        of.domain(), of.heldOut(), of.deciding(), of.id(), of.tokens(), counted);
  }

  @Test
  void killedAnywhereItComesToTheBlocksAndCountsOfOneThatNeverStopped() {
    long forgotten = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      TestingJob job = job(seed);
      assertThatCode(job::run).as("seed %d", seed).doesNotThrowAnyException();
      List<SpecificRecordBase> committed = job.log.committed();
      List<OutputRecord> output = new ArrayList<>();
      Ledger straight = job.straight(output).counts().orElseThrow();

      assertThat(job.log.blocks()).as("seed %d", seed).isEqualTo(TestingPackingLog.blocks(output));
      assertThat(job.ledger()).as("seed %d", seed).isEqualTo(straight);
      requireNoneBehind(seed, job.spec, committed);
      forgotten += straight.getDocuments().getForgotten();
    }
    assertThat(forgotten).isGreaterThan(10L * SEEDS);
  }

  @Test
  void whatIsForgottenBeforeTheFirstDocumentIsNowhere() {
    TestingJob job = job(1);
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

    assertThat(job.ledger().getDocuments().getForgotten()).isEqualTo(3);
    requireNoneBehind(1, job.spec, withDecisionsFirst(job.log.committed()));
  }

  @Test
  void refusesStateThatForgotWhatIsNotCommitted() {
    TestingJob job = job(2);
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
    TestingJob job = job(3);
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
}
