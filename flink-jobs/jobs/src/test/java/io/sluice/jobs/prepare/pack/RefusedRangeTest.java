package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A range that could not be read once is not read for ever, whatever stops the job. */
class RefusedRangeTest {
  private static final String DOMAIN = "java";
  private static final int SEEDS = Boolean.getBoolean("sluice.full") ? 5_000 : 300;

  /**
   * A job that is killed at any moment, over files that come and go. Each record of the corpus is a
   * range of some documents.
   */
  private static final class Job {
    private static final double HELD_OUT = 0.2;

    private final DatasetSpec spec;
    private final List<List<DomainEvent>> corpus = new ArrayList<>();
    private final TestingPackingLog log;
    private final SplittableRandom random;
    private final List<Checkpoint> checkpoints = new ArrayList<>();
    private DomainPacking packing;
    private Decisions known;
    private TestingSlots slots;
    private int next;
    private int stopped;

    private record Checkpoint(byte[] state, byte[] ledger, TestingSlots slots, int next) {}

    Job(long seed) {
      random = new SplittableRandom(seed);
      spec = TestingDatasets.dataset(16, 1 + random.nextInt(12), HELD_OUT);
      List<DomainEvent> documents =
          new ArrayList<>(TestingDatasets.documents(DOMAIN, 60, HELD_OUT));
      while (!documents.isEmpty()) {
        List<DomainEvent> range =
            documents.subList(0, Math.min(documents.size(), 1 + random.nextInt(4)));
        corpus.add(List.copyOf(range));
        range.clear();
      }
      log = new TestingPackingLog(spec);
      start(null);
    }

    void run() {
      while (next <= corpus.size()) {
        switch (random.nextInt(8)) {
          case 0, 1 -> checkpoint();
          case 2 -> kill();
          default -> accept(random.nextInt(4) == 0);
        }
      }
      checkpoint();
    }

    private void start(Checkpoint from) {
      known = log.decisions(DOMAIN);
      slots = from == null ? new TestingSlots() : from.slots().copy();
      packing = packing(slots, log.supply(DOMAIN), log.decisions(DOMAIN), log);
      if (from != null) {
        packing.restore(from.state(), null);
        packing.ledger().restore(from.ledger());
      }
      next = from == null ? 0 : from.next();
    }

    /** What the reading task makes of the next record, where the file may be gone. */
    private void accept(boolean gone) {
      if (next == corpus.size()) {
        packing.accept(new CorpusEnded(DOMAIN));
        next++;
        return;
      }
      boolean decided = known.refusedRanges().has(next + 1L);
      try {
        take(packing, next, decided || gone);
        next++;
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("cannot be made again without it: /data is missing");
        assertThat(decided).isFalse();
        stopped++;
        log.abort();
        start(null);
      }
    }

    private void take(DomainPacking to, int record, boolean refused) {
      List<DomainEvent> range = corpus.get(record);
      if (refused) {
        to.accept(new RangeRefused(DOMAIN, record, range.size(), "/data is missing"));
      } else {
        range.forEach(to::accept);
      }
    }

    private void checkpoint() {
      packing.emitSupply();
      checkpoints.add(
          new Checkpoint(
              packing.snapshot(), packing.ledger().snapshot().orElseThrow(), slots.copy(), next));
      log.commit();
    }

    private void kill() {
      if (random.nextBoolean()) {
        packing.emitSupply();
      }
      log.abort();
      int state = random.nextInt(checkpoints.size() + 1);
      start(state == 0 ? null : checkpoints.get(checkpoints.size() - state));
    }

    private static DomainPacking packing(
        TestingSlots slots, CommittedSupply supply, Decisions decisions, TestingPackingLog log) {
      return new DomainPacking(
          log.spec(), Topics.standard(), DOMAIN, slots, supply, decisions, () -> 7, log::write);
    }

    /** Documents of refused ranges, and those of others without a token. */
    long refusedOrEmpty(List<Long> refused) {
      long count = 0;
      for (int record = 0; record < corpus.size(); record++) {
        count +=
            refused.contains((long) record)
                ? corpus.get(record).size()
                : corpus.get(record).stream()
                    .filter(each -> ((TokenizedDocument) each).tokens().length == 0)
                    .count();
      }
      return count;
    }

    /** What one start without state that is never stopped makes of the log's verdicts. */
    DomainPacking straight(List<OutputRecord> output) {
      Decisions decisions = log.decisions(DOMAIN);
      DomainPacking straight =
          new DomainPacking(
              spec,
              Topics.standard(),
              DOMAIN,
              new TestingSlots(),
              CommittedSupply.NONE,
              log.decisions(DOMAIN),
              () -> 7,
              output::add);
      for (int record = 0; record < corpus.size(); record++) {
        take(straight, record, decisions.refusedRanges().has(record + 1L));
      }
      straight.accept(new CorpusEnded(DOMAIN));
      return straight;
    }
  }

  @Test
  void killedAnywhereItComesToTheBlocksOfOneThatNeverStopped() {
    long verdicts = 0;
    long stopped = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Job job = new Job(seed);
      job.run();
      List<Long> refused = job.log.refusedRanges(DOMAIN);
      verdicts += refused.size();
      stopped += job.stopped;

      List<OutputRecord> output = new ArrayList<>();
      LedgerCounts straight = job.straight(output).counts().orElseThrow().getDocuments();
      assertThat(job.log.blocks()).as("seed %d", seed).isEqualTo(TestingPackingLog.blocks(output));
      assertThat(refused).as("seed %d", seed).doesNotHaveDuplicates().isSorted();
      assertThat(job.packing.counts().orElseThrow().getDocuments())
          .as("seed %d", seed)
          .isEqualTo(straight);
      assertThat(straight.getIn()).isEqualTo(60);
      assertThat(straight.getDeadLetters()).isEqualTo(job.refusedOrEmpty(refused));
    }
    assertThat(verdicts).isGreaterThan(2L * SEEDS);
    assertThat(stopped).isGreaterThan(SEEDS / 5);
  }

  @Test
  void refusesStateWhoseVerdictWasLost() {
    Job job = new Job(2);
    job.accept(false);
    job.checkpoint();
    job.accept(true);
    byte[] state = job.packing.snapshot();
    job.log.abort();
    job.start(null);

    assertThatThrownBy(() -> job.packing.restore(state, null))
        .hasMessageContaining(" and a verdict on the range at offset 1, but committed are only ")
        .hasMessageContaining("start the job without its state");
  }

  @Test
  void aVerdictIsWrittenWithTheSupplyThatCountsIt() {
    Job job = new Job(3);
    job.accept(true);
    assertThat(job.log.refusedRanges(DOMAIN)).isEmpty();
    job.checkpoint();
    assertThat(job.log.refusedRanges(DOMAIN)).containsExactly(0L);
    job.start(null);
    job.accept(false);
    job.packing.emitSupply();
    job.log.commit();
    assertThat(job.log.refusedRanges(DOMAIN)).containsExactly(0L);
    assertThat(job.packing.packed()).isEqualTo(CommittedSupply.NONE);
  }
}
