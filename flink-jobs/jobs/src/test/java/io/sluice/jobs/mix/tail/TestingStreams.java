package io.sluice.jobs.mix.tail;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.mark.TestingMarks;
import io.sluice.jobs.mix.mark.WrittenStreams;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What brokers say of streams, as a test says; nothing of partitions that it does not name. */
public final class TestingStreams implements WrittenStreams {
  final AtomicLong nanos = new AtomicLong();
  final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger doubted = new AtomicInteger();
  final TestingTopicEnds ends;
  private final TestingTopics topics;
  private @Nullable Error broken;
  private final Map<TopicPartition, Latest> latest = new ConcurrentHashMap<>();

  /** Where each epoch but the last ends. */
  private final Map<TopicPartition, Map<Long, Long>> epochs = new ConcurrentHashMap<>();

  public TestingStreams(TestingTopics topics) {
    this.topics = topics;
    this.ends = new TestingTopicEnds(topics);
  }

  /** Looks at these streams. */
  public StreamCheck check(Consumer<StreamCheck.Finding> told) {
    Topics names = Topics.standard();
    StreamTails tails =
        new StreamTails(
            () -> topics.control("tails"),
            ends,
            new TestingMarks(),
            KafkaAccess.local("nowhere"),
            1 << 20,
            () -> 0);
    PlaceSearch search = new PlaceSearch(() -> topics.control("places"), names, tails, nanos::get);
    return new StreamCheck(this, search, names, told, nanos::get);
  }

  /** Writes the entry that starts a run, and its stream without a record. */
  public void start(TestingRun run) {
    RunLayout layout = run.layout();
    RunSpec spec =
        RunSpec.newBuilder()
            .setRun(layout.run())
            .setDataset(layout.dataset())
            .setFingerprint(layout.fingerprint())
            .setTokenizer("bytes")
            .setVocabulary(260)
            .setSequenceLength(64)
            .setDomains(layout.domains())
            .setStreamPartitions(layout.streamPartitions())
            .setBatchSizes(List.of(new BatchSize(1L, 8)))
            .setSeed(layout.seed())
            .setInitialWeights(ControlWire.boxed(Weights.uniform(layout.domains().size())))
            .setPolicy("static")
            .setUpdateEvery(0)
            .setEpochs(Collections.nCopies(layout.domains().size(), 1))
            .build();
    ControlEntry entry = GrantPlanner.start(run.split().runId(), RunSpecs.settings(spec), "asked");
    ApplyRun asked = new ApplyRun(spec, "id-1", null, false, false);
    Topics names = Topics.standard();
    long offset = run.split().cursor().control().offset();
    byte[] started = WireCodec.encode(ControlWire.started(entry, asked, "w", 0));
    topics.append(names.control(), offset, 0, started);
    ends.stream(names.stream(layout.run()), layout.streamPartitions());
  }

  /** How often a leader was asked what it has of its predecessors. */
  public int doubted() {
    return doubted.get();
  }

  /** A partition ends there under its leader's epoch. */
  public void end(TopicPartition partition, long end, long epoch) {
    Latest before = latest.put(partition, new Latest(end, epoch));
    if (before != null && before.epoch() < epoch) {
      epochs
          .computeIfAbsent(partition, p -> new ConcurrentHashMap<>())
          .put(before.epoch(), Math.min(before.end(), end));
    }
  }

  /** Whoever asks gets an error. */
  void breakDown(Error why) {
    broken = why;
  }

  /** Nobody answers. */
  void forget() {
    latest.clear();
  }

  /** There is no such partition. */
  void delete(TopicPartition partition) {
    latest.put(partition, Latest.GONE);
  }

  @Override
  public Map<TopicPartition, Latest> latest(Collection<TopicPartition> partitions) {
    if (!partitions.isEmpty()) {
      asked.incrementAndGet();
      if (broken != null) {
        throw broken;
      }
    }
    Map<TopicPartition, Latest> found = new HashMap<>(latest);
    found.keySet().retainAll(partitions);
    return found;
  }

  @Override
  public Set<TopicPartition> cut(Map<TopicPartition, OffsetAndMetadata> reached) {
    doubted.incrementAndGet();
    Set<TopicPartition> cut = new HashSet<>();
    reached.forEach(
        (partition, place) -> {
          long epoch = place.leaderEpoch().orElseThrow();
          if (epochs.getOrDefault(partition, Map.of()).getOrDefault(epoch, Long.MAX_VALUE)
              < place.offset()) {
            cut.add(partition);
          }
        });
    return cut;
  }

  @Override
  public void close() {}
}
