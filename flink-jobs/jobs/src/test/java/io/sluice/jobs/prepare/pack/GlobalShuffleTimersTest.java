package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;
import io.sluice.schema.WireCodec;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator that packs, where all documents of a domain are shuffled at its end. */
class GlobalShuffleTimersTest {
  private static final double HELD_OUT = 0.1;
  private static final DatasetSpec SPEC =
      TestingDatasets.dataset(16, ShuffleSettings.GLOBAL, HELD_OUT, 2);
  private static final List<DomainEvent> EVENTS = TestingDatasets.events(60, HELD_OUT);

  private static TestingPackingLog straight() throws Exception {
    TestingPackingLog log = new TestingPackingLog(SPEC);
    try (TestingPackOperator operator = new TestingPackOperator(SPEC, log, log, 1 << 20)) {
      operator.open();
      for (DomainEvent event : EVENTS) {
        operator.process(event);
      }
      operator.setProcessingTime(1);
      operator.checkpoint(1);
    }
    return log;
  }

  @Test
  void documentsWaitForTheEndAndGoInStepsBetweenWhichBarriersCome() throws Exception {
    TestingPackingLog log = new TestingPackingLog(SPEC);
    try (TestingPackOperator operator = new TestingPackOperator(SPEC, log)) {
      operator.open();
      for (DomainEvent event : EVENTS) {
        operator.process(event);
      }
      operator.checkpoint(1);
      assertThat(newest(operator)).isNotEmpty().allMatch(supply -> supply.getBlocks() == 0);

      long steps = 0;
      long waiting = Long.MAX_VALUE;
      while (operator.numProcessingTimeTimers() > 0) {
        operator.setProcessingTime(++steps);
        operator.checkpoint(steps + 1);
        long left = newest(operator).stream().mapToLong(Supply::getShuffled).max().orElseThrow();
        assertThat(left).isLessThan(waiting);
        waiting = left;
      }
      assertThat(steps).isGreaterThan(20);
      assertThat(newest(operator)).isNotEmpty().allMatch(Supply::getEnded);
    }
    assertThat(log.blocks()).isEqualTo(straight().blocks());
  }

  /** With no, some and all of the documents and of the packings on the heap. */
  @ParameterizedTest
  @ValueSource(longs = {0, 100, 1 << 20})
  void restoredEqualsNeverStopped(long bytes) throws Exception {
    TestingPackingLog straight = straight();
    for (long seed = 0; seed < 4; seed++) {
      TestingPackingLog log = new TestingPackingLog(SPEC);
      run(log, new SplittableRandom(seed), bytes);
      assertThat(log.blocks()).as("seed %d", seed).isEqualTo(straight.blocks());
    }
  }

  /** Kills the operator every now and then, with or without its state. */
  private static void run(TestingPackingLog log, SplittableRandom random, long bytes)
      throws Exception {
    OperatorSubtaskState state = null;
    int kept = 0;
    int next = 0;
    long now = 0;
    boolean ended = false;
    for (int life = 0; !ended; life++) {
      try (TestingPackOperator operator = new TestingPackOperator(SPEC, log, log, bytes)) {
        if (state != null) {
          operator.initializeState(state);
        }
        operator.open();
        operator.setProcessingTime(now);
        for (int steps = random.nextInt(20 + 40 * life); steps > 0 && !ended; steps--) {
          if (next < EVENTS.size()) {
            operator.process(EVENTS.get(next++));
          }
          operator.setProcessingTime(++now);
          if (random.nextInt(10) == 0) {
            state = operator.checkpoint(now);
            kept = next;
            ended = next == EVENTS.size() && operator.numProcessingTimeTimers() == 0;
          }
        }
        log.abort();
        state = random.nextInt(3) == 0 ? null : state;
        next = state == null ? 0 : kept;
      }
    }
  }

  private static List<Supply> newest(TestingPackOperator operator) {
    return operator.committed().stream()
        .map(message -> WireCodec.decode(message.value()))
        .filter(Supply.class::isInstance)
        .map(Supply.class::cast)
        .toList();
  }
}
