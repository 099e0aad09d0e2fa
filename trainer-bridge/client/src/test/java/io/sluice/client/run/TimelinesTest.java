package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.InvalidStateException;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.StreamOptions;
import io.sluice.client.stream.StreamReader;
import io.sluice.client.stream.TestingConsumer;
import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingReaders;
import io.sluice.client.stream.TestingStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TimelinesTest {
  private static final int[] SIZES = {4, 4, 4, 8, 8, 8, 4, 4, 12, 12, 4, 4};
  private static final int[] WORLDS = {1, 2, 4};

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyStateThatStandsIsResumedAlongTheTimelinesThatOwnTheBatches(long seed) {
    Random random = new Random(seed);
    RewoundStream stream = new RewoundStream(1 + random.nextInt(6), SIZES, random.nextInt(4), seed);
    int from = random.nextInt(SIZES.length);
    int worldSize = WORLDS[random.nextInt(WORLDS.length)];
    List<List<GlobalBatch>> ranks = new ArrayList<>();
    for (int rank = 0; rank < worldSize; rank++) {
      StreamReader reader = open(stream, TestingReaders.rank(rank, worldSize));
      ranks.add(TestingReaders.read(reader, stream.after(from), stream.lastBatch()));
      assertThat(reader.state()).isEqualTo(stream.after(stream.lastBatch()));
    }
    for (int batch = from + 1; batch <= stream.lastBatch(); batch++) {
      List<String> rows = new ArrayList<>();
      for (List<GlobalBatch> rank : ranks) {
        GlobalBatch found = rank.get(batch - from - 1);
        assertThat(found.timeline()).isEqualTo(stream.timelines.owner(batch));
        found.sequences().forEach(each -> rows.add(RewoundStream.describe(each)));
      }
      assertThat(rows).isEqualTo(stream.batch(batch));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noStateOfABatchThatTheRunWasRewoundBeforeIsResumed(long seed) {
    RewoundStream stream = new RewoundStream(2, SIZES, 3, seed);
    StreamReader reader = open(stream, StreamOptions.defaults());
    for (int timeline = 0; timeline <= stream.timelines.newest(); timeline++) {
      long end = stream.timelines.end(timeline);
      for (int batch = 1; batch <= SIZES.length; batch++) {
        StreamState good = stream.after(batch);
        StreamState state = new StreamState("r-1", timeline, batch, good.firstIndex());
        if (state.equals(good)) {
          reader.seek(state);
          assertThat(reader.state()).isEqualTo(state);
        } else if (batch > end) {
          assertThatThrownBy(() -> reader.seek(state))
              .isInstanceOfSatisfying(
                  RewoundException.class, e -> assertThat(e.batch()).isEqualTo(end))
              .hasMessageEndingWith("resume from a checkpoint at or before batch " + end);
        } else {
          assertThatThrownBy(() -> reader.seek(state)).isInstanceOf(RewoundException.class);
        }
      }
    }
  }

  @Test
  void aRunningTrainerStopsAtARewindAndNamesItsBatch() {
    TestingStream written = new TestingStream(4, 8, 8, 8, 8);
    TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(100);
    topic.create(TestingReaders.STREAM, 4);
    written.sequences().subList(0, 24).forEach(each -> topic.append(TestingReaders.STREAM, each));
    TestingConsumer<byte[]> control =
        TestingReaders.log(
            List.of(TestingLog.started(written.run()), TestingLog.grant("r-1", 1, 0, 0, 3)));
    StreamReader reader =
        TestingReaders.open(
            written.run(), TestingReaders.STREAM, topic, control, StreamOptions.defaults());
    for (int batch = 1; batch <= 3; batch++) {
      assertThat(reader.next(Duration.ofSeconds(1)).batch()).isEqualTo(batch);
    }
    TestingReaders.append(control, TestingLog.revised(written.run(), 1, 2, 1, 2, 16, 1));
    assertThatThrownBy(() -> reader.next(Duration.ofSeconds(20)))
        .isInstanceOfSatisfying(
            RewoundException.class,
            e -> {
              assertThat(e.batch()).isEqualTo(2);
              assertThat(e.timeline()).isEqualTo(1);
            })
        .hasMessage(
            "the run was rewound to batch 2 and goes on as timeline 1 (this reader follows timeline"
                + " 0): resume from a checkpoint at or before batch 2");
  }

  @Test
  void aForkGoesOnFromExactlyTheBatchThatItContinues() {
    TestingStream parent = new TestingStream(2, 4, 4, 6, 6);
    RunInfo fork = new RunInfo("f-1", parent.run().spec());
    StreamReader reader =
        TestingReaders.open(
            fork,
            TestingReaders.STREAM,
            topic(2),
            TestingReaders.log(List.of(TestingLog.forked(fork, "r-1", 1, 2, 8))),
            StreamOptions.defaults());
    StreamState start = new StreamState("f-1", 0, 2, 8);
    assertThat(reader.state()).isEqualTo(start);
    reader.seek(new StreamState("r-1", 1, 2, 8));
    assertThat(reader.state()).isEqualTo(start);
    reader.seek(StreamState.start("f-1"));
    assertThat(reader.state()).isEqualTo(start);
    reader.seekToBatch(4);
    assertThat(reader.state()).isEqualTo(new StreamState("f-1", 0, 3, 14));
    assertThatThrownBy(() -> reader.seek(new StreamState("r-1", 1, 3, 14)))
        .isInstanceOf(InvalidStateException.class)
        .hasMessage(
            "run f-1 continues run r-1 after batch 2 of timeline 1: resume from a checkpoint of"
                + " exactly that batch, not of batch 3 of timeline 1");
    assertThatThrownBy(() -> reader.seek(new StreamState("other-1", 0, 2, 8)))
        .isInstanceOf(InvalidStateException.class);
    assertThatThrownBy(() -> reader.seek(new StreamState("f-1", 0, 3, 15)))
        .isInstanceOf(InvalidStateException.class)
        .hasMessage(
            "the state is not one of run f-1: batch 4 starts at sequence 14, the state has 15");
    assertThatThrownBy(() -> reader.seekToBatch(2))
        .hasMessage("batch must be at least 3, the first of run f-1: 2");
  }

  @Test
  void aBatchOfANewMixtureWaitsForTheLogThatTellsOfIt() {
    TestingStream before = new TestingStream(1, 2);
    TestingConsumer<ByteBuffer> topic = topic(1);
    topic.append(TestingReaders.STREAM, before.sequence(0));
    topic.append(TestingReaders.STREAM, before.sequence(1));
    TestingConsumer<byte[]> control = TestingReaders.log(List.of(TestingLog.started(before.run())));
    StreamReader reader =
        TestingReaders.open(
            before.run(), TestingReaders.STREAM, topic, control, StreamOptions.defaults());
    assertThat(reader.next(Duration.ofSeconds(1)).batch()).isEqualTo(1);

    RunInfo revised = TestingReaders.withPolicy(before.run(), "velocitune");
    new TestingStream(1, 2, 4)
        .withVersion(2).sequences().stream()
            .skip(2)
            .forEach(each -> topic.append(TestingReaders.STREAM, each));
    assertThatThrownBy(() -> reader.next(Duration.ofSeconds(1)))
        .isInstanceOf(StreamStalledException.class);
    TestingReaders.append(control, TestingLog.grant("r-1", 1, 0, 0, 1));
    TestingReaders.append(control, TestingLog.revised(revised, 0, 2, 1, 1, 2, 2));
    assertThat(reader.next(Duration.ofSeconds(1)).weightsVersion()).isEqualTo(2);
    assertThat(reader.infoAt(1).spec().getPolicy()).isEqualTo("static");
    assertThat(reader.infoAt(2).spec().getPolicy()).isEqualTo("velocitune");
  }

  private static TestingConsumer<ByteBuffer> topic(int partitions) {
    TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(100);
    topic.create(TestingReaders.STREAM, partitions);
    return topic;
  }

  private static StreamReader open(RewoundStream stream, StreamOptions options) {
    return TestingReaders.open(
        stream.run, TestingReaders.STREAM, stream.topic, TestingReaders.log(stream.log), options);
  }
}
