package io.sluice.jobs.mix.reweight;

import io.sluice.control.controller.TestingLog;
import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The Reweighter on RocksDB, with a control log that it writes and reads. */
public final class TestingReweighter implements AutoCloseable {
  private static final Topics TOPICS = Topics.standard();
  private static final int MAX_PARALLELISM = 16;

  final TestingLog log;
  private final Reweighter reweighter;
  private final KeyedBroadcastOperatorTestHarness<String, MixEvent, MixEvent, KeyedRecord> harness;
  private final int parallelism;
  private final int subtask;
  private int sent;
  private long read;
  private long now;
  private long ahead;

  public TestingReweighter(TestingLog log, String writer) throws Exception {
    this(log, writer, null, -1, 1, 0);
  }

  private TestingReweighter(
      TestingLog log,
      String writer,
      @Nullable OperatorSubtaskState state,
      long read,
      int parallelism,
      int subtask)
      throws Exception {
    this.log = log;
    this.read = read;
    this.parallelism = parallelism;
    this.subtask = subtask;
    this.reweighter =
        new Reweighter(TOPICS, () -> writer, () -> TimeUnit.MILLISECONDS.toNanos(now));
    this.harness =
        new KeyedBroadcastOperatorTestHarness<>(
            new CoBroadcastWithKeyedOperator<>(
                reweighter, List.of(Reweighter.SUPPLY, Reweighter.SEALED)),
            MixEvent::runId,
            Types.STRING,
            MAX_PARALLELISM,
            parallelism,
            subtask);
    harness.setStateBackend(new EmbeddedRocksDBStateBackend());
    harness.setup();
    if (state == null) {
      harness.initializeEmptyState();
    } else {
      harness.initializeState(state);
    }
    harness.open();
  }

  /** Stops as in a crash right after a checkpoint, and goes on from that at {@code now}. */
  TestingReweighter restarted(String writer, long now) throws Exception {
    OperatorSubtaskState state = harness.snapshot(1, 1);
    close();
    TestingReweighter next = new TestingReweighter(log, writer, state, read, 1, 0);
    next.time(now);
    return next;
  }

  /** Stops all subtasks as in a restart with another parallelism, and goes on at {@code now}. */
  static List<TestingReweighter> rescaled(List<TestingReweighter> all, int parallelism, long now)
      throws Exception {
    List<OperatorSubtaskState> states = new ArrayList<>();
    for (TestingReweighter one : all) {
      states.add(one.harness.snapshot(1, 1));
      one.close();
    }
    OperatorSubtaskState whole =
        AbstractStreamOperatorTestHarness.repackageState(
            states.toArray(OperatorSubtaskState[]::new));
    TestingLog log = all.get(0).log;
    List<TestingReweighter> next = new ArrayList<>();
    for (int subtask = 0; subtask < parallelism; subtask++) {
      OperatorSubtaskState part =
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              whole, MAX_PARALLELISM, all.size(), parallelism, subtask);
      String writer = "of-" + parallelism + "-" + subtask + "-at-" + now;
      long read = all.get(0).read;
      next.add(new TestingReweighter(log, writer, part, read, parallelism, subtask));
      next.get(subtask).time(now);
    }
    return next;
  }

  /** Runs that it has in memory. */
  int runsInMemory() {
    return reweighter.runsInMemory();
  }

  /** Whether the run's records come to this subtask. */
  boolean owns(String runId) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(runId, MAX_PARALLELISM, parallelism)
        == subtask;
  }

  /** A record as it was read, from partition 2 of the topic. */
  public static ConsumerRecord<byte[], byte[]> record(String topic, long offset, byte[] value) {
    return new ConsumerRecord<>(topic, 2, offset, null, value);
  }

  public void event(Kind kind, String runId, SpecificRecordBase message) throws Exception {
    event(MixEvent.of(kind, runId, record("topic", 0, WireCodec.encode(message))));
  }

  public void event(MixEvent event) throws Exception {
    harness.processElement(event, 0);
  }

  public void supply(Supply supply) throws Exception {
    supply(MixEvent.of(Kind.SUPPLY, "", record("supply", 3, WireCodec.encode(supply))));
  }

  public void supply(MixEvent event) throws Exception {
    harness.processBroadcastElement(event, 0);
  }

  void time(long now) throws Exception {
    this.now = now;
    harness.setProcessingTime(now + ahead);
  }

  /** Sets the wall clock ahead of the right time, or behind it. */
  void wallClock(long ahead) throws Exception {
    this.ahead = ahead;
    time(now);
  }

  /** What it has proposed and nobody has sent yet. */
  List<ControlRecord> proposed() {
    List<KeyedRecord> all = harness.extractOutputValues();
    List<ControlRecord> fresh = new ArrayList<>();
    all.subList(sent, all.size())
        .forEach(record -> fresh.add(WireCodec.decode(ControlRecord.class, record.value)));
    return fresh;
  }

  /** Sends what it proposed and lets it read the log, until nothing more is proposed. */
  public void settle() throws Exception {
    do {
      proposed().forEach(log::append);
      sent = harness.extractOutputValues().size();
      for (Map.Entry<Long, byte[]> next = log.after(read); next != null; next = log.after(read)) {
        read = next.getKey();
        String runId = WireCodec.decode(ControlRecord.class, next.getValue()).getRunId();
        if (owns(runId)) {
          event(MixEvent.of(Kind.CONTROL, runId, record(TOPICS.control(), read, next.getValue())));
        }
      }
    } while (!proposed().isEmpty());
  }

  RunStatus status(String runId) {
    RunStatus last = null;
    for (RunStatus status : side(Reweighter.STATUSES, RunStatus.class)) {
      last = status.getRunId().equals(runId) ? status : last;
    }
    if (last == null) {
      throw new AssertionError("no status of " + runId);
    }
    return last;
  }

  List<DeadLetter> deadLetters() {
    return side(Reweighter.DEAD_LETTERS, DeadLetter.class);
  }

  private <T extends SpecificRecordBase> List<T> side(OutputTag<KeyedRecord> tag, Class<T> type) {
    Queue<StreamRecord<KeyedRecord>> records = harness.getSideOutput(tag);
    return records == null
        ? List.of()
        : records.stream().map(r -> WireCodec.decode(type, r.getValue().value)).toList();
  }

  @Override
  public void close() throws Exception {
    harness.close();
  }
}
