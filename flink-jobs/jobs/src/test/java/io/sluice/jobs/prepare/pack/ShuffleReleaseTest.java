package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Documents that go by time go at the same place again, whatever stops the job. */
class ShuffleReleaseTest {
  private static final int SEEDS = Boolean.getBoolean("sluice.full") ? 2_000 : 500;

  private static final String DOMAIN = "java";
  private static final long WAIT = 10_000;

  /** A job that is killed at any moment, on a log that keeps what was committed. */
  private static final class Job {
    private static final double HELD_OUT = 0.2;

    private final DatasetSpec spec;
    private final List<DomainEvent> events;
    private final TestingPackingLog log;
    private final SplittableRandom random;
    private final List<Checkpoint> checkpoints = new ArrayList<>();
    private DomainPacking packing;
    private ShuffleWait wait;
    private TestingSlots slots;
    private int next;
    private long now;
    private long asked;

    /** State, the next event, and the time that was asked for; 0 for none. */
    private record Checkpoint(byte[] state, TestingSlots slots, int next, long asked) {}

    Job(long seed) {
      random = new SplittableRandom(seed);
      spec = TestingDatasets.releasing(16, 1 + random.nextInt(12), HELD_OUT, 1 + random.nextInt(3));
      spec.setDocumentIds(seed % 2 == 0 ? "hashes" : "names");
      events = new ArrayList<>(TestingDatasets.documents(DOMAIN, 60, HELD_OUT));
      if (random.nextBoolean()) {
        events.add(new CorpusEnded(DOMAIN));
      }
      log = new TestingPackingLog(spec);
      start(null);
    }

    void run() {
      int rest = 20;
      while (next < events.size() || rest-- > 0) {
        switch (random.nextInt(12)) {
          case 0 -> checkpoint();
          case 1 -> kill();
          case 2, 3, 4 -> pass(random.nextLong(2 * WAIT));
          default -> accept();
        }
      }
      while (packing.waiting() > 0) {
        pass(WAIT);
      }
      checkpoint();
    }

    private void start(Checkpoint from) {
      slots = from == null ? new TestingSlots() : from.slots().copy();
      packing =
          new DomainPacking(
              spec,
              Topics.standard(),
              DOMAIN,
              slots,
              log.supply(DOMAIN),
              log.decisions(DOMAIN),
              () -> 7,
              log::write);
      if (from != null) {
        packing.restore(from.state(), null);
      }
      wait = new ShuffleWait(spec, packing, this::after);
      next = from == null ? 0 : from.next();
      asked = from == null ? 0 : from.asked();
    }

    private long after(long millis) {
      asked = now + millis;
      return asked;
    }

    private void accept() {
      if (next < events.size()) {
        packing.accept(events.get(next++));
        wait.begin();
      }
    }

    private void pass(long millis) {
      now += millis;
      if (asked > 0 && asked <= now) {
        long over = asked;
        asked = 0;
        wait.over(over);
      }
    }

    private void checkpoint() {
      packing.emitSupply();
      checkpoints.add(new Checkpoint(packing.snapshot(), slots.copy(), next, asked));
      log.commit();
    }

    /** Before or within a checkpoint; goes on with its state, an earlier one's, or none. */
    private void kill() {
      if (random.nextBoolean()) {
        packing.emitSupply();
      }
      log.abort();
      int state = random.nextInt(checkpoints.size() + 1);
      start(state == 0 ? null : checkpoints.get(checkpoints.size() - state));
    }

    /** What one start without state that is never stopped makes of the log's releases. */
    List<OutputRecord> straight() {
      List<OutputRecord> output = new ArrayList<>();
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
      events.forEach(straight::accept);
      return output;
    }
  }

  @Test
  void killedAnywhereItComesToTheBlocksOfOneThatNeverStopped() {
    long releases = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      Job job = new Job(seed);
      job.run();
      releases += job.log.counts(DOMAIN).size();

      assertThat(job.log.blocks())
          .as("seed %d", seed)
          .isEqualTo(TestingPackingLog.blocks(job.straight()));
      assertThat(job.log.counts(DOMAIN)).as("seed %d", seed).doesNotHaveDuplicates().isSorted();
    }
    assertThat(releases).isGreaterThan(5L * SEEDS);
  }

  @Test
  void aReleaseThatWasNotCommittedMayComeElsewhere() {
    Job job = new Job(1);
    job.packing.accept(job.events.get(0));
    assertThat(job.packing.waiting()).isEqualTo(1);
    assertThat(job.packing.release()).isTrue();
    job.packing.emitSupply();
    job.log.abort();
    assertThat(job.log.counts(DOMAIN)).isEmpty();
    assertThat(job.log.supply(DOMAIN)).isEqualTo(CommittedSupply.NONE);
  }

  @Test
  void nothingIsReleasedTwiceNorWithoutDocuments() {
    DomainPacking packing = new Job(1).packing;
    assertThat(packing.release()).isFalse();
    packing.accept(TestingDatasets.documents(DOMAIN, 1, 0).get(0));
    assertThat(packing.release()).isTrue();
    assertThat(packing.release()).isFalse();
    assertThat(packing.waiting()).isZero();
  }

  @Test
  void whatIsCommittedIsNotReleasedByTheClock() {
    Job job = new Job(2);
    job.packing.accept(job.events.get(0));
    job.packing.accept(job.events.get(1));
    job.checkpoint();
    int waiting = job.packing.waiting();
    job.start(null);
    job.packing.accept(job.events.get(0));
    assertThat(job.packing.release()).isFalse();
    job.packing.accept(job.events.get(1));
    assertThat(job.packing.waiting()).isEqualTo(waiting);
    assertThat(job.packing.release()).isTrue();
    job.packing.emitSupply();
    job.log.commit();
    assertThat(job.log.counts(DOMAIN)).containsExactly(2L);
    assertThat(job.log.supply(DOMAIN)).isEqualTo(job.packing.packed());
  }

  @Test
  void refusesStateWhoseReleaseWasLost() {
    Job job = new Job(2);
    job.packing.accept(job.events.get(0));
    job.checkpoint();
    job.packing.release();
    byte[] state = job.packing.snapshot();
    job.log.abort();
    job.start(null);

    assertThatThrownBy(() -> job.packing.restore(state, null))
        .hasMessageStartingWith("domain 'java': the restored state has packed 1 documents")
        .hasMessageContaining(" and a release after document 1, but committed are only 1 documents")
        .hasMessageContaining("start the job without its state");
  }
}
