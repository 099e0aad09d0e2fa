package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.fetch.FetchMemory;
import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.StreamReach;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.jobs.mix.stream.TestingDelivery;
import io.sluice.jobs.mix.tail.TestingStreams;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader whose stream's brokers have changed leaders, or lost records. */
@Timeout(60)
final class LostRecordsTest {
  private static final Topics NAMES = Topics.standard();
  private static final long SIZE = 40;

  private final TestingTopics topics = new TestingTopics();
  private final TestingStreams streams = new TestingStreams(topics);
  private final TestingOutput output = new TestingOutput();
  private final MixtureReader reader =
      new MixtureReader(
          NAMES,
          topics,
          MixtureSourceSettings.defaults(),
          new FetchMemory(1 << 30, System::nanoTime),
          new TestingNotices(),
          new TestingReaderContext(),
          streams::check);
  private final TestingRun run = new TestingRun("a", 1).grant(Weights.uniform(1), 10, 10);

  @BeforeEach
  void write() {
    String blocks = NAMES.blocks("data", "d0");
    for (long ordinal = 0; ordinal < SIZE; ordinal++) {
      topics.append(blocks, ordinal, TestingRun.block(0, ordinal));
    }
    EndOfDomain end = EndOfDomain.newBuilder().setDomain("d").setSize(SIZE).build();
    topics.append(blocks, SIZE, WireCodec.encode(end));
    streams.start(run);
    run.log().forEach(this::publish);
  }

  private void publish(TestingRun.Entry e) {
    byte[] entry = WireCodec.encode(ControlWire.write(e.entry(), "test", 0));
    topics.append(NAMES.control(), e.offset(), 0, entry);
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
  }

  private void start(MixSplit split) {
    reader.addSplits(List.of(split));
    reader.start();
  }

  private void pollUntil(BooleanSupplier done) throws Exception {
    while (!done.getAsBoolean()) {
      if (reader.pollNext(output) == InputStatus.NOTHING_AVAILABLE && !done.getAsBoolean()) {
        reader.isAvailable().get(30, TimeUnit.SECONDS);
      }
    }
  }

  private List<Long> indices() {
    return output.records.stream().map(r -> StreamHeader.decode(r.header()).index()).toList();
  }

  /** A split whose stream held so many records in each partition, under a leader's epoch. */
  private static MixSplit reaching(MixSplit split, long end, long epoch) {
    long[] ends = new long[TestingRun.PARTITIONS];
    long[] epochs = new long[TestingRun.PARTITIONS];
    Arrays.fill(ends, end);
    Arrays.fill(epochs, epoch);
    return split.reaching(new StreamReach(ends, epochs));
  }

  private void streamEnds(long end, long epoch) {
    for (int p = 0; p < TestingRun.PARTITIONS; p++) {
      streams.end(new TopicPartition(NAMES.stream("a"), p), end, epoch);
    }
  }

  @Test
  void aSplitWhoseStreamIsWholeGoesOnFromItsPlace() throws Exception {
    streamEnds(34, 2);
    streamEnds(34, 3);
    start(reaching(run.split(), 34, 2));
    pollUntil(() -> output.records.size() == 100);
    assertThat(streams.doubted()).isEqualTo(1);
    assertThat(reader.snapshotState(1).get(0).reach().epochs()).containsExactly(3, 3, 3);
  }

  @Test
  void aSplitGoesOnWhereItsStreamEndsOnceABrokerHasLostSomething() throws Exception {
    start(run.split());
    pollUntil(() -> output.records.size() == 50);
    StreamRecord last = output.records.get(49);
    TestingDelivery.acknowledged(last, 16);
    TestingDelivery.acknowledged(last, 12);
    pollUntil(() -> indices().contains(99L));
    assertThat(indices()).as("nothing is in the stream").filteredOn(i -> i < 50).hasSize(100);
    assertThat(output.failures).isEmpty();
  }

  @Test
  void aRunThatHasEndedEmitsAgainWhatABrokerHasLost() throws Exception {
    run.phase(RunPhase.COMPLETED);
    publish(run.log().get(1));
    streamEnds(0, 2);
    long[] offsets = new long[TestingRun.PARTITIONS];
    output.sink = r -> TestingDelivery.acknowledged(r, offsets[r.partition()]++);
    start(run.split());
    pollUntil(() -> output.ends.size() == 1);
    reader.snapshotState(1);
    reader.notifyCheckpointComplete(1);
    assertThat(reader.snapshotState(2)).as("not flushed yet").hasSize(1);
    streamEnds(1, 3);
    pollUntil(() -> output.ends.size() == 2);
    assertThat(indices()).hasSize(200);
    assertThat(indices().subList(100, 200)).isEqualTo(indices().subList(0, 100));
  }
}
