package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.jobs.prepare.read.TestingCorpus;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Documents that are purged leave everything that is made of their domain as it would be. */
class PurgedCorpusTest {
  private static final int SEEDS = Boolean.getBoolean("sluice.full") ? 2_000 : 50;

  private static DatasetSpec dataset(SplittableRandom random) {
    DatasetSpec spec = TestingJob.dataset(random);
    if (random.nextBoolean()) {
      spec.setFimRate(0.5);
      spec.setFimSpm(0.5);
      spec.setFimTokens(List.of(1, 2, 3));
    }
    spec.setBeginOfDocument(random.nextBoolean() ? 4 : -1);
    spec.setHeldOut(random.nextInt(4) == 0 ? 0 : TestingJob.HELD_OUT);
    return spec;
  }

  @Test
  void killedAnywhereItComesToTheBlocksAndCountsOfACorpusThatWasNotPurged() {
    long[] purged = {0};
    for (long seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      DatasetSpec spec = dataset(random);
      TestingCorpus corpus =
          new TestingCorpus(spec, TestingJob.DOMAIN, TestingJob.DOCUMENTS, random);
      List<DomainEvent> whole = corpus.events();
      TestingJob job = new TestingJob(spec, whole, random);
      assertThatCode(() -> job.run(() -> purged[0] += purge(job, corpus)))
          .as("seed %d", seed)
          .doesNotThrowAnyException();
      job.events = whole;
      List<OutputRecord> output = new ArrayList<>();
      Ledger straight = job.straight(output).counts().orElseThrow();

      assertThat(job.log.blocks()).as("seed %d", seed).isEqualTo(TestingPackingLog.blocks(output));
      assertThat(job.ledger()).as("seed %d", seed).isEqualTo(straight);
    }
    assertThat(purged[0]).isGreaterThan(10L * SEEDS);
  }

  /** Deletes what is to be forgotten so far; the job starts again with state, earlier, or none. */
  private static int purge(TestingJob job, TestingCorpus corpus) {
    int purged = corpus.purge(id -> job.known.contains(TestingJob.DOMAIN, id));
    job.kill();
    job.events = corpus.events();
    return purged;
  }
}
