package io.sluice.jobs.mix.tail;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.RunSettings;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeader;

/** A run whose log and stream are in topics in memory. */
final class TestingStream {
  private static final Topics NAMES = Topics.standard();

  private final TestingTopics topics;
  private final TestingRun run;
  private int logged;

  TestingStream(TestingTopics topics, TestingTopicEnds ends, TestingRun run) {
    this.topics = topics;
    this.run = run;
    topics.create(NAMES.control());
    ends.stream(topic(), TestingRun.PARTITIONS);
  }

  String topic() {
    return NAMES.stream(run.layout().run());
  }

  /** Writes what the run has logged since. */
  TestingStream log() {
    for (; logged < run.log().size(); logged++) {
      TestingRun.Entry next = run.log().get(logged);
      ControlRecord record =
          next.entry().body() instanceof Revised revised
              ? ControlWire.revised(next.entry(), spec(revised.settings()), "w", 0)
              : ControlWire.write(next.entry(), "w", 0);
      topics.append(NAMES.control(), next.offset(), 0, WireCodec.encode(record));
    }
    return this;
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
