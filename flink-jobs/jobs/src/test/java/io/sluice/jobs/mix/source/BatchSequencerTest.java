package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.sluice.jobs.mix.fetch.BlockSupply;
import io.sluice.jobs.mix.fetch.TestingBlocks;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.MixSplitSerializer;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.BrokenLogException;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ChainHash;
import io.sluice.schema.StreamHeader;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BatchSequencerTest {
  private static final StreamGate GATE = new StreamGate(() -> {});
  private static final long[] SIZES = {3, 70, 1000, 5};
  private static final Weights WEIGHTS = Weights.ofShares(0.25, 0.5, 0, 0.25);

  private final TestingRun run =
      new TestingRun("r", 4)
          .grant(WEIGHTS, 3, 7)
          .grant(Weights.ofShares(0.7, 0.1, 0, 0.2), 1, 20)
          .phase(RunPhase.PAUSED)
          .phase(RunPhase.RUNNING)
          .grant(WEIGHTS, 4, 9)
          .phase(RunPhase.COMPLETED);

  /** What can be compared of a record. */
  private record Seen(int partition, long timestamp, StreamHeader header, String value) {
    static Seen of(StreamRecord record) {
      return new Seen(
          record.partition(),
          record.timestamp(),
          StreamHeader.decode(record.header()),
          TestingRun.text(record.value()));
    }
  }

  private static BatchSequencer sequencer(TestingRun run, MixSplit split) {
    return new BatchSequencer(
        split, run.target(), GATE, new TestingBlocks(split, SIZES, () -> true));
  }

  private static void applyAll(BatchSequencer sequencer, TestingRun run) {
    run.log().forEach(e -> sequencer.apply(e.entry(), e.offset()));
  }

  private static List<Seen> drain(BatchSequencer sequencer) {
    List<Seen> seen = new ArrayList<>();
    for (StreamRecord r = sequencer.next(); r != null; r = sequencer.next()) {
      seen.add(Seen.of(r));
    }
    return seen;
  }

  private List<Seen> all() {
    BatchSequencer sequencer = sequencer(run, run.split());
    applyAll(sequencer, run);
    List<Seen> all = drain(sequencer);
    assertThat(all).hasSize(3 * 7 + 20 + 4 * 9);
    return all;
  }

  @Test
  void headersCountOnAndChainPerPartition() {
    Map<Integer, Long> chains = new HashMap<>();
    Map<Integer, Long> ordinals = new HashMap<>();
    long index = 0;
    for (Seen seen : all()) {
      StreamHeader header = seen.header();
      String[] block = seen.value().substring("block ".length()).split(":", -1);
      int domain = Integer.parseInt(block[0]);
      int partition = (int) (index % TestingRun.PARTITIONS);
      long chain =
          ChainHash.next(
              chains.getOrDefault(partition, ChainHash.start(MixturePlan.VERSION, "r.1")),
              index,
              ChainHash.domain(0xFEEDL, "d" + domain),
              0,
              Long.parseLong(block[1]));
      chains.put(partition, chain);

      assertThat(header.index()).isEqualTo(index);
      assertThat(seen.partition()).isEqualTo(partition);
      assertThat(seen.timestamp()).isEqualTo(header.batch());
      assertThat(header.ordinal()).isEqualTo(ordinals.merge(domain, 1L, Long::sum) - 1);
      assertThat(header.chain()).isEqualTo(chain);
      assertThat(index - header.firstIndex()).isBetween(0L, header.batchSize() - 1L);
      index++;
    }
    assertThat(ordinals).as("domain 2 has weight 0").doesNotContainKey(2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyInterleavingOfEntriesAndBlocksGivesTheSameRecords(long seed) {
    Random coin = new Random(seed);
    MixSplit split = run.split();
    BatchSequencer sequencer =
        new BatchSequencer(
            split, run.target(), GATE, new TestingBlocks(split, SIZES, coin::nextBoolean));
    List<Seen> seen = new ArrayList<>();
    int read = 0;
    while (!sequencer.isFinished()) {
      if (read < run.log().size() && coin.nextInt(10) == 0) {
        TestingRun.Entry e = run.log().get(read++);
        sequencer.apply(e.entry(), e.offset());
      }
      StreamRecord record = sequencer.next();
      if (record != null) {
        seen.add(Seen.of(record));
      }
    }
    assertThat(seen).isEqualTo(all());
  }

  @Test
  void aSequenceCostsNoAllocation() {
    int batch = 40_000;
    TestingRun large = new TestingRun("r", 4).grant(WEIGHTS, 1, batch);
    MixSplit split = large.split();
    ByteBuffer block = ByteBuffer.allocate(64);
    BlockSupply blocks =
        new BlockSupply() {
          @Override
          public void need(int[] order, int from) {
            assertThat(order).hasSize(batch);
          }

          @Override
          public boolean take(int domain, TakenBlock into) {
            into.bytes = block;
            into.stored = 0;
            return true;
          }
        };
    BatchSequencer sequencer = new BatchSequencer(split, large.target(), GATE, blocks);
    applyAll(sequencer, large);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long indexes = 0;
    long before = 0;
    for (int i = 0; i < batch - 1; i++) {
      if (i == batch / 2) {
        before = threads.getThreadAllocatedBytes(id);
      }
      indexes += sequencer.next().partition();
    }
    // The smallest object in each would be 16 bytes; a compiler that goes back on what it assumed
    // makes some objects once, whenever it likes.
    assertThat(threads.getThreadAllocatedBytes(id) - before).isLessThan(batch / 2);
    assertThat(indexes).isPositive();
  }

  @Test
  void restoredAtAnyPlaceEqualsNeverStopped() throws Exception {
    List<Seen> all = all();
    MixSplitSerializer serializer = new MixSplitSerializer();
    for (int emitted = 0; emitted <= all.size(); emitted++) {
      BatchSequencer first = sequencer(run, run.split());
      applyAll(first, run);
      List<Seen> seen = new ArrayList<>();
      for (int i = 0; i < emitted; i++) {
        seen.add(Seen.of(first.next()));
      }
      MixSplit kept =
          serializer.deserialize(
              serializer.getVersion(), serializer.serialize(first.snapshot(SIZES)));
      BatchSequencer second = sequencer(run, kept);
      applyAll(second, run);
      seen.addAll(drain(second));
      assertThat(seen).as("stopped after %s", emitted).isEqualTo(all);
      assertThat(second.isFinished()).isTrue();
    }
  }

  @Test
  void announcesBlocksInTheOrderInWhichItTakesThem() {
    BatchSequencer first = sequencer(run, run.split());
    applyAll(first, run);
    for (int i = 0; i < 10; i++) {
      first.next();
    }
    MixSplit split = first.snapshot(SIZES);
    TestingBlocks blocks = new TestingBlocks(split, SIZES, () -> true);
    BatchSequencer second = new BatchSequencer(split, run.target(), GATE, blocks);
    applyAll(second, run);
    drain(second);
    assertThat(blocks.taken()).hasSize(all().size() - 10).isEqualTo(blocks.needed());
  }

  @Test
  void ignoresEntriesOfOtherLineagesAndRuns() {
    Grant grant = grant(0, 5, 5);
    ControlEntry right = fresh().next(grant);
    BatchSequencer sequencer = sequencer(run, run.split());
    List<ControlEntry> wrong =
        List.of(
            new ControlEntry("other.1", 0, right.serial(), right.basedOn(), "", grant),
            new ControlEntry(right.runId(), 0, right.serial() + 1, right.basedOn(), "", grant),
            new ControlEntry(right.runId(), 0, right.serial(), right.basedOn() - 1, "", grant),
            new ControlEntry(right.runId(), 0, right.serial() - 1, -1, "", grant));
    assertThat(wrong).noneMatch(entry -> sequencer.apply(entry, 100));
    assertThat(drain(sequencer)).isEmpty();
    assertThat(sequencer.apply(right, 100)).isTrue();
    assertThat(sequencer.apply(right, 101)).as("read again").isFalse();
    assertThat(drain(sequencer)).hasSize(5);
  }

  @Test
  void breaksOnAGrantThatDoesNotContinue() {
    BatchSequencer sequencer = sequencer(run, run.split());
    assertThatThrownBy(() -> sequencer.apply(fresh().next(grant(3, 5, 5)), 100))
        .isInstanceOf(BrokenLogException.class)
        .hasMessageContaining("GRANTED from 3 to 4");
  }

  @Test
  void breaksOnCountsThatAreNotTheBatch() {
    BatchSequencer sequencer = sequencer(run, run.split());
    assertThatThrownBy(() -> sequencer.apply(fresh().next(grant(0, 6, 5)), 100))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessage("sum of the counts of batch 1 must be 6: 5");
  }

  @Test
  void breaksOnNumbersThatCannotBeTrueBeforeItMakesRoomForThem() {
    assertBreaks(
        grant(0, 2_000_000_000, 2_000_000_000),
        "sequences of batch 1 must be in [1, 1048576]: 2000000000");
    assertBreaks(grant(0, -1, -1), "sequences of batch 1 must be in [1, 1048576]: -1");
    assertBreaks(grant(0, 8, 2_000_000_000), "sum of the counts of batch 1 must be 8: 2000000000");
    assertBreaks(of(0, 8, 16, -8, 0, 0), "sequences of domain 1 in batch 1 must be at least 0: -8");
    int most = Integer.MAX_VALUE;
    assertBreaks(of(0, 1, most, most, 3, 0), "sum of the counts of batch 1 must be 1: 4294967297");
    assertBreaks(of(6, 1, 1, 0, 0, 0), "first index of batch 1 must be 0: 6");
  }

  private static Grant of(long first, int size, int... counts) {
    return new Grant(
        0,
        1,
        first,
        1,
        new int[] {size},
        counts,
        Weights.uniform(4),
        new long[0],
        Optional.empty());
  }

  private void assertBreaks(Grant grant, String message) {
    assertThatThrownBy(() -> sequencer(run, run.split()).apply(fresh().next(grant), 100))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessage(message);
  }

  @Test
  void aBatchThatCannotBePutInOrderCostsNoSequence() {
    int size = 9_000;
    TestingRun late =
        fresh()
            .write(
                new Grant(
                    0,
                    3,
                    0,
                    1,
                    new int[] {size, size, size},
                    new int[] {size, 0, 0, 0, size, 0, 0, 0, size - 1, 0, 0, 0},
                    Weights.uniform(4),
                    new long[0],
                    Optional.empty()));
    BatchSequencer sequencer = sequencer(late, late.split());
    applyAll(sequencer, late);
    for (int i = 0; i < size; i++) {
      assertThat(sequencer.next()).isNotNull();
    }
    assertThatThrownBy(sequencer::next)
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessage("sum of the counts of batch 3 must be 9000: 8999");
    assertThat(sequencer.snapshot(SIZES).cursor().firstIndex()).isEqualTo(size);
  }

  @Test
  void breaksOnAnotherNumberOfDomains() {
    Grant grant =
        new Grant(
            0,
            1,
            0,
            1,
            new int[] {1},
            new int[] {1, 0},
            Weights.uniform(2),
            new long[0],
            Optional.empty());
    assertThatThrownBy(() -> sequencer(run, run.split()).apply(fresh().next(grant), 100))
        .hasMessageContaining("grants 2 domains, the run has 4");
  }

  @Test
  void stoppedRunEmitsWhatIsGranted() {
    TestingRun stopped = new TestingRun("r", 4).grant(WEIGHTS, 2, 8).phase(RunPhase.STOPPED);
    BatchSequencer sequencer = sequencer(stopped, stopped.split());
    applyAll(sequencer, stopped);
    assertThat(sequencer.isFinished()).isFalse();
    assertThat(drain(sequencer)).hasSize(16);
    assertThat(sequencer.isFinished()).isTrue();

    BatchSequencer again = sequencer(stopped, sequencer.snapshot(SIZES));
    assertThat(again.isFinished()).as("finished is remembered").isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deleted", "failed"})
  void deletedRunIsDroppedAtOnce(String phase) {
    TestingRun deleted =
        new TestingRun("r", 4).grant(WEIGHTS, 2, 8).phase(RunPhase.ofWireName(phase));
    BatchSequencer sequencer = sequencer(deleted, deleted.split());
    applyAll(sequencer, deleted);
    assertThat(sequencer.isFinished()).isTrue();
  }

  @Test
  void pausedRunEmitsWhatIsGrantedAndWaits() {
    TestingRun paused = new TestingRun("r", 4).grant(WEIGHTS, 2, 8).phase(RunPhase.PAUSED);
    BatchSequencer sequencer = sequencer(paused, paused.split());
    applyAll(sequencer, paused);
    assertThat(drain(sequencer)).hasSize(16);
    assertThat(sequencer.isFinished()).isFalse();
    assertThat(sequencer.awaitedDomain()).isEmpty();
    assertThat(sequencer.batch()).isEqualTo(3);
  }

  @Test
  void putsEntriesOffWhileTooMuchIsQueued() {
    TestingRun wide = new TestingRun("r", 2048);
    int grants = 0;
    BatchSequencer sequencer =
        new BatchSequencer(
            wide.split(),
            wide.target(),
            GATE,
            new TestingBlocks(wide.split(), new long[2048], () -> false));
    while (sequencer.hasRoom()) {
      wide.grant(Weights.uniform(2048), 512, 4);
      TestingRun.Entry last = wide.log().get(grants++);
      sequencer.apply(last.entry(), last.offset());
    }
    assertThat(grants).isEqualTo(4);
    assertThat(sequencer.isHungry()).isFalse();
    assertThat(sequencer.apply(wide.next(new PhaseChange(RunPhase.PAUSED, "")), 99)).isTrue();
  }

  @Test
  void breaksOnAVersionThatGoesBack() {
    TestingRun later = fresh();
    later.write(versioned(0, 2)).write(versioned(1, 1));
    BatchSequencer sequencer = sequencer(later, later.split());
    assertThatThrownBy(() -> applyAll(sequencer, later))
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessage("weights version of batch 2 must be at least 2: 1");
  }

  private static Grant versioned(long after, int version) {
    return new Grant(
        after,
        after + 1,
        4 * after,
        version,
        new int[] {4},
        new int[] {1, 1, 1, 1},
        Weights.uniform(4),
        new long[0],
        Optional.empty());
  }

  @Test
  void breaksOnABlockThatTheOrdinalCannotStandFor() {
    BlockSupply ahead =
        new BlockSupply() {
          @Override
          public void need(int[] order, int from) {}

          @Override
          public boolean take(int domain, TakenBlock into) {
            into.stored = 1;
            return true;
          }
        };
    TestingRun one = new TestingRun("r", 1).grant(Weights.uniform(1), 1, 2);
    BatchSequencer sequencer = new BatchSequencer(one.split(), one.target(), GATE, ahead);
    applyAll(sequencer, one);
    assertThatThrownBy(sequencer::next)
        .isInstanceOf(InvariantViolatedException.class)
        .hasMessage("block of domain d0 in batch 1 must be in [0, 0]: 1");
  }

  private static TestingRun fresh() {
    return new TestingRun("r", 4);
  }

  private static Grant grant(long after, int size, int counted) {
    return new Grant(
        after,
        after + 1,
        0,
        1,
        new int[] {size},
        new int[] {counted, 0, 0, 0},
        Weights.uniform(4),
        new long[0],
        Optional.empty());
  }
}
