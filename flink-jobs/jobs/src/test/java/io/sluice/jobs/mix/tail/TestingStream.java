package io.sluice.jobs.mix.tail;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.LogSummaries;
import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.LogSummary;
import io.sluice.mixture.log.RunSettings;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EarlierSnapshot;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TimelineOpening;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;

/** A run whose log and stream are in topics in memory. */
final class TestingStream {
  private static final Topics NAMES = Topics.standard();

  private final TestingTopics topics;
  private final TestingRun run;
  private final String control;
  private final List<EarlierSnapshot> snapshots = new ArrayList<>();
  private final Map<Long, byte[]> values = new HashMap<>();
  private int logged;

  TestingStream(TestingTopics topics, TestingTopicEnds ends, TestingRun run) {
    this(topics, ends, run, NAMES.control());
  }

  private TestingStream(
      TestingTopics topics, TestingTopicEnds ends, TestingRun run, String control) {
    this.topics = topics;
    this.run = run;
    this.control = control;
    topics.create(control);
    ends.stream(topic(), TestingRun.PARTITIONS);
  }

  /** The stream of a run with a log of its own, whose first entry is not there. */
  static TestingStream withOwnLog(TestingTopics topics, TestingTopicEnds ends, TestingRun run) {
    return new TestingStream(topics, ends, run, NAMES.control(run.split().runId()));
  }

  String control() {
    return control;
  }

  String topic() {
    return NAMES.stream(run.layout().run());
  }

  /** Writes what the run has logged since. */
  TestingStream log() {
    for (; logged < run.log().size(); logged++) {
      TestingRun.Entry next = run.log().get(logged);
      byte[] value = WireCodec.encode(record(next));
      values.put(next.offset(), value);
      topics.append(control, next.offset(), 0, value);
    }
    return this;
  }

  private ControlRecord record(TestingRun.Entry next) {
    if (next.entry().body() instanceof LogSummary summary) {
      ControlRecord record =
          ControlWire.summed(next.entry(), snapshot(next.entry(), summary), "w", 0);
      snapshots.add(
          new EarlierSnapshot(summary.snapshot().batch(), next.entry().serial(), next.offset()));
      return record;
    }
    if (next.entry().body() instanceof Revised revised) {
      if (next.entry().timeline() != 0) {
        snapshots.removeIf(each -> each.getBatch() > revised.snapshot().batch());
      }
      return ControlWire.revised(next.entry(), spec(revised.settings()), "w", 0);
    }
    return ControlWire.write(next.entry(), "w", 0);
  }

  private LogSnapshot snapshot(ControlEntry entry, LogSummary summary) {
    List<TimelineOpening> openings = new ArrayList<>();
    for (Lineage.Opening each : summary.lineage().openings()) {
      long after = Math.max(0, each.after());
      openings.add(new TimelineOpening(each.timeline(), after, run.end(after).nextSequence()));
    }
    byte[] before = Objects.requireNonNull(values.get(entry.basedOn()));
    return LogSummaries.write(summary)
        .setDigest(ChainHash.fnv(ChainHash.FNV_OFFSET, before))
        .setStreamTopicId("")
        .setSpec(spec(summary.settings()))
        .setWhy("")
        .setRounds(0)
        .setOpenings(openings)
        .setGoverning(List.of())
        .setOrigin(null)
        .setEarlier(List.copyOf(snapshots))
        .build();
  }

  private RunSpec spec(RunSettings settings) {
    return RunSpec.newBuilder()
        .setRun(run.layout().run())
        .setDataset("data")
        .setFingerprint(run.layout().fingerprint())
        .setTokenizer("bytes")
        .setVocabulary(260)
        .setSequenceLength(64)
        .setDomains(settings.domains())
        .setStreamPartitions(TestingRun.PARTITIONS)
        .setLanes(settings.lanes())
        .setBatchSizes(List.of(new BatchSize(1L, 8)))
        .setSeed(settings.seed())
        .setInitialWeights(ControlWire.boxed(settings.initialWeights()))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(Collections.nCopies(settings.domains().size(), 1))
        .build();
  }

  /** All that a split emits, from where it stands. */
  List<StreamRecord> emitted(MixSplit from) {
    SimulatedSplit split = new SimulatedSplit(from);
    run.log().forEach(next -> split.apply(next.entry(), next.offset()));
    List<StreamRecord> all = new ArrayList<>();
    for (int quiet = 0; quiet < 5; quiet++) {
      split.fetch(blocks(), 1_000);
      for (StreamRecord next = split.next(); next != null; next = split.next()) {
        all.add(next);
        quiet = 0;
      }
    }
    return all;
  }

  private static SimulatedSplit.Blocks blocks() {
    return new SimulatedSplit.Blocks() {
      @Override
      public long size(int domain) {
        return 10_000;
      }

      @Override
      public boolean ended(int domain) {
        return false;
      }

      @Override
      public byte[] block(int domain, long stored) {
        return TestingRun.block(domain, stored);
      }
    };
  }

  /** Writes those of the records that are not lost. */
  void write(List<StreamRecord> records, Predicate<StreamHeader> isWritten) {
    for (StreamRecord record : records) {
      if (isWritten.test(StreamHeader.decode(record.header()))) {
        topics.append(
            new TopicPartition(topic(), record.partition()),
            record.timestamp(),
            record.value().array(),
            new RecordHeader(StreamHeader.KEY, record.header()));
      }
    }
  }
}
