package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator that packs, on RocksDB, with documents that go by Flink's processing time. */
class ReleaseTimersTest {
  private static final double HELD_OUT = 0.1;
  private static final DatasetSpec SPEC = TestingDatasets.releasing(16, 8, HELD_OUT, 2);
  private static final long WAIT = 10_000;

  private final TestingPackingLog log = new TestingPackingLog(SPEC);

  @Test
  void documentsGoOnceTheTimeIsOverAndTheSupplySaysSo() throws Exception {
    try (TestingPackOperator harness = new TestingPackOperator(SPEC, log)) {
      harness.open();
      harness.setProcessingTime(1_000);
      harness.process(document("java", "a"));
      harness.checkpoint(1);
      assertThat(shuffled(harness.committed())).containsExactly(1L, 1L);

      harness.setProcessingTime(1_000 + WAIT - 1);
      harness.checkpoint(2);
      assertThat(harness.committed()).isEmpty();

      harness.setProcessingTime(1_000 + WAIT);
      harness.checkpoint(3);
      assertThat(shuffled(harness.committed())).containsExactly(0L, 0L);
      assertThat(log.counts("java")).containsExactly(1L);
      assertThat(harness.numProcessingTimeTimers()).isZero();
    }
  }

  @Test
  void aDomainThatIsSilentAfterARestartIsReleasedAllTheSame() throws Exception {
    OperatorSubtaskState state;
    try (TestingPackOperator harness = new TestingPackOperator(SPEC, log)) {
      harness.open();
      harness.setProcessingTime(1_000);
      harness.process(document("java", "a"));
      harness.process(document("prose", "b"));
      state = harness.checkpoint(1);
    }
    try (TestingPackOperator harness = new TestingPackOperator(SPEC, log)) {
      harness.initializeState(state);
      harness.open();
      harness.setProcessingTime(1_000 + WAIT);
      harness.checkpoint(2);
    }
    assertThat(log.counts("java")).containsExactly(1L);
    assertThat(log.counts("prose")).containsExactly(1L);
    assertThat(log.supply("java").documents()).isEqualTo(1);
  }

  /** With no, some and all of the shuffled documents and of the packings on the heap. */
  @ParameterizedTest
  @ValueSource(longs = {0, 100, 1 << 20})
  void restoredEqualsNeverStopped(long shuffledBytes) throws Exception {
    long forgotten = 0;
    for (long seed = 0; seed < 6; seed++) {
      TestingPackingLog written = new TestingPackingLog(SPEC);
      List<DomainEvent> events = TestingDatasets.events(60, HELD_OUT);
      run(written, events, new SplittableRandom(seed), shuffledBytes);
      assertThat(written.counts("java")).hasSizeGreaterThan(1);
      assertThat(written.counts("prose")).hasSizeGreaterThan(1);

      TestingPackOperator.FORGOTTEN.remove();
      TestingPackingLog straight = new TestingPackingLog(SPEC);
      try (TestingPackOperator harness = new TestingPackOperator(SPEC, straight, written, 0)) {
        harness.open();
        for (DomainEvent event : events) {
          harness.process(event);
        }
        harness.checkpoint(1);
      }
      assertThat(written.blocks()).as("seed %d", seed).isEqualTo(straight.blocks());
      assertThat(newest(written)).as("seed %d", seed).isEqualTo(newest(straight));
      forgotten += newest(straight).getDocuments().getForgotten();
    }
    assertThat(forgotten).isGreaterThan(6);
  }

  /** Kills the operator every now and then, with or without its state. */
  private static void run(
      TestingPackingLog log, List<DomainEvent> events, SplittableRandom random, long shuffledBytes)
      throws Exception {
    SplittableRandom forgetting = new SplittableRandom(3);
    OperatorSubtaskState state = null;
    int kept = 0;
    long now = 1_000;
    int next = 0;
    while (kept < events.size()) {
      try (TestingPackOperator harness = new TestingPackOperator(SPEC, log, log, shuffledBytes)) {
        if (state != null) {
          harness.initializeState(state);
        }
        harness.open();
        harness.setProcessingTime(now);
        int stop = next + 20 + random.nextInt(40);
        while (next < Math.min(stop, events.size())) {
          harness.process(events.get(next++));
          now += random.nextInt(8) == 0 ? random.nextLong(WAIT) : 0;
          harness.setProcessingTime(now);
          if (forgetting.nextInt(12) == 0) {
            forgetMore(forgetting);
          }
          if (random.nextInt(10) == 0 || next == events.size()) {
            state = harness.checkpoint(next);
            kept = next;
          }
        }
        log.abort();
        state = random.nextInt(3) == 0 ? null : state;
        next = state == null ? 0 : kept;
      }
    }
  }

  /** Some documents of one domain, which came or are to come. */
  private static void forgetMore(SplittableRandom random) {
    String domain = random.nextBoolean() ? "java" : "prose";
    Map<String, DocumentKeys> known = new HashMap<>(TestingPackOperator.FORGOTTEN.get());
    DocumentKeys more =
        TestingDatasets.keys(
            domain, random.ints(3, 0, 60).distinct().mapToObj(i -> domain + "-" + i).toList());
    known.merge(domain, more, DocumentKeys::with);
    TestingPackOperator.FORGOTTEN.set(known);
  }

  /** Of "java", as far as it is committed. */
  private static Ledger newest(TestingPackingLog log) {
    return log.committed().stream()
        .filter(Supply.class::isInstance)
        .map(Supply.class::cast)
        .filter(said -> said.getDomain().equals("java") && said.getLedger() != null)
        .reduce((before, after) -> after)
        .orElseThrow()
        .getLedger();
  }

  private static DomainEvent document(String domain, String text) {
    return TestingDatasets.document(domain, text, text, new HeldOutRule(0, 1));
  }

  private static List<Long> shuffled(List<OutputRecord> output) {
    return output.stream()
        .map(message -> WireCodec.decode(message.value()))
        .filter(Supply.class::isInstance)
        .map(supply -> ((Supply) supply).getShuffled())
        .toList();
  }
}
