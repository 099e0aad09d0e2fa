package io.sluice.control.history;

import io.sluice.control.snapshot.SnapshotWriter;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.LogBeginnings;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Control logs in memory, which count the records that are read of them. */
public final class TestingLogs implements LogSource {
  private static final int BATCH = 8;
  private static final Weights WEIGHTS = Weights.ofShares(0.5, 0.5);

  private final Topics topics = Topics.standard();
  private final TreeMap<String, List<ConsumerRecord<byte[], byte[]>>> logs = new TreeMap<>();
  private final Map<String, LogPosition> positions = new HashMap<>();
  private final Map<String, MixturePlan> plans = new HashMap<>();
  private final Map<String, RunState> states = new HashMap<>();
  private final Map<String, SnapshotWriter> snapshots = new HashMap<>();
  private final Map<String, Integer> read = new TreeMap<>();
  private long clock = 1_000;

  /** The logs as readers take them. */
  public RunLogs runLogs() {
    return new RunLogs(this, topics);
  }

  /** Makes an empty topic. */
  public void create(String topic) {
    logs.putIfAbsent(topic, new ArrayList<>());
  }

  /** Starts a run in a log of its own. */
  public void startOwn(String runId) {
    start(topics.control(runId), runId);
  }

  /** Starts a run in the log that is shared. */
  public void startShared(String runId) {
    start(topics.control(), runId);
  }

  private void start(String topic, String runId) {
    RunSpec spec = spec(runId.substring(0, runId.indexOf('.')));
    ControlEntry entry = GrantPlanner.start(runId, RunSpecs.settings(spec), "asked");
    ApplyRun asked = ApplyRun.newBuilder().setSpec(spec).setStreamTopicId("").build();
    ControlRecord record = ControlWire.started(entry, asked, "test", 0);
    byte[] value = WireCodec.encode(record);
    long offset = append(topic, value);
    positions.put(runId, LogPosition.start(runId).after(entry, offset));
    if (!topic.equals(topics.control())) {
      states.put(runId, RunState.started(entry, offset));
      snapshots.put(runId, SnapshotWriter.begun(record, offset, value, SnapshotWriter.EVERY));
    }
    plans.put(runId, MixturePlan.start(2));
  }

  /** Grants a run its next batch. */
  public void grant(String runId) {
    long after = position(runId).granted();
    int[] counts = Objects.requireNonNull(plans.get(runId)).next(WEIGHTS, BATCH);
    write(
        runId,
        new Grant(
            after,
            after + 1,
            BATCH * after,
            1,
            new int[] {BATCH},
            counts,
            WEIGHTS,
            new long[0],
            Optional.empty()));
  }

  /** Brings a run into another phase. */
  public void change(String runId, RunPhase phase, String commandId) {
    write(runId, new PhaseChange(phase, commandId));
  }

  /** Grants a run a batch that does not follow the last one. */
  public void breakOff(String runId) {
    grant(runId);
    snapshots.remove(runId);
    positions.computeIfPresent(
        runId, (id, p) -> new LogPosition(id, 0, p.serial(), p.offset(), p.granted() + 1));
    grant(runId);
  }

  private void write(String runId, ControlEntry.Body body) {
    SnapshotWriter writer = snapshots.get(runId);
    if (writer != null && writer.isDue()) {
      writer
          .next(Objects.requireNonNull(states.get(runId)), "test", 0)
          .ifPresent(snapshot -> append(runId, snapshot));
    }
    LogPosition position = position(runId);
    ControlEntry entry =
        new ControlEntry(runId, 0, position.serial() + 1, position.offset(), "test", body);
    append(runId, ControlWire.write(entry, "test", 0));
  }

  private void append(String runId, ControlRecord record) {
    String own = topics.control(runId);
    String topic = logs.containsKey(own) ? own : topics.control();
    byte[] value = WireCodec.encode(record);
    long offset = append(topic, value);
    ControlEntry entry = ControlWire.read(record, WireCodec.encode(record));
    positions.put(runId, position(runId).after(entry, offset));
    SnapshotWriter writer = snapshots.get(runId);
    if (writer != null) {
      Objects.requireNonNull(states.get(runId)).apply(entry, offset);
      writer.accept(record, offset, value);
    }
  }

  private LogPosition position(String runId) {
    return Objects.requireNonNull(positions.get(runId));
  }

  /** Appends any record, at the next millisecond. */
  public long append(String topic, byte[] value) {
    create(topic);
    List<ConsumerRecord<byte[], byte[]>> log = Objects.requireNonNull(logs.get(topic));
    log.add(
        new ConsumerRecord<>(
            topic,
            0,
            log.size(),
            clock++,
            TimestampType.CREATE_TIME,
            0,
            value.length,
            new byte[0],
            value,
            new RecordHeaders(),
            Optional.empty()));
    return log.size() - 1L;
  }

  /** The value of a record. */
  byte[] value(String topic, int offset) {
    return Objects.requireNonNull(logs.get(topic)).get(offset).value();
  }

  /** Records that were read since this was last asked, by topic. */
  public Map<String, Integer> takeRead() {
    Map<String, Integer> taken = Map.copyOf(read);
    read.clear();
    return taken;
  }

  @Override
  public Set<String> topics(String prefix) {
    return logs.keySet().stream().filter(t -> t.startsWith(prefix)).collect(Collectors.toSet());
  }

  @Override
  public boolean exists(String topic) {
    return logs.containsKey(topic);
  }

  @Override
  public void heads(Collection<String> wanted, Predicate<ConsumerRecord<byte[], byte[]>> found) {
    for (String topic : wanted) {
      for (ConsumerRecord<byte[], byte[]> message : logs.getOrDefault(topic, List.of())) {
        read.merge(topic, 1, Integer::sum);
        if (found.test(message)) {
          break;
        }
      }
    }
  }

  @Override
  public void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    for (ConsumerRecord<byte[], byte[]> message : Objects.requireNonNull(logs.get(topic))) {
      read.merge(topic, 1, Integer::sum);
      reader.accept(message);
    }
  }

  @Override
  public void readFrom(String topic, long offset, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    List<ConsumerRecord<byte[], byte[]>> log = Objects.requireNonNull(logs.get(topic));
    for (ConsumerRecord<byte[], byte[]> message : log.subList((int) offset, log.size())) {
      read.merge(topic, 1, Integer::sum);
      reader.accept(message);
    }
  }

  @Override
  public Optional<LogBeginning> before(String runId, long batch) {
    TopicPartition log = new TopicPartition(topics.control(runId), 0);
    List<ConsumerRecord<byte[], byte[]>> records = logs.get(log.topic());
    if (records == null) {
      return Optional.empty();
    }
    MockConsumer<byte[], byte[]> consumer =
        new MockConsumer<>("none") {
          @Override
          public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            ConsumerRecords<byte[], byte[]> come = super.poll(timeout);
            read.merge(log.topic(), come.count(), Integer::sum);
            return come;
          }
        };
    consumer.assign(List.of(log));
    consumer.setMaxPollRecords(64);
    consumer.updateBeginningOffsets(Map.of(log, 0L));
    consumer.updateEndOffsets(Map.of(log, (long) records.size()));
    consumer.seek(log, 0);
    records.forEach(consumer::addRecord);
    KafkaAccess nowhere = new KafkaAccess("nowhere", topics, Map.of());
    try (LogBeginnings beginnings = new LogBeginnings(nowhere, consumer)) {
      Duration patience = Duration.ofSeconds(10);
      return beginnings.before(runId, batch, patience);
    }
  }

  private static RunSpec spec(String name) {
    return RunSpec.newBuilder()
        .setRun(name)
        .setDataset("data")
        .setFingerprint(9)
        .setTokenizer("bytes")
        .setVocabulary(260)
        .setSequenceLength(64)
        .setDomains(List.of("a", "b"))
        .setStreamPartitions(4)
        .setBatchSizes(List.of(new BatchSize(1L, BATCH)))
        .setSeed(42)
        .setInitialWeights(ControlWire.boxed(WEIGHTS))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(List.of(1, 1))
        .build();
  }
}
