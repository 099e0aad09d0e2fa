package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.block.Sequence;
import io.sluice.client.error.InvalidWorldSizeException;
import io.sluice.client.stream.FaultyWriters;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.StreamOptions;
import io.sluice.client.stream.StreamReader;
import io.sluice.client.stream.TestingConsumer;
import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingReaders;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TrainerRankTest {
  private static final int[] SIZES = {64, 64, 128, 192, 192, 64, 128, 128, 64, 64};
  private static final int[] WORLDS = {1, 8, 2, 64, 4};

  static LongStream seeds() {
    return LongStream.range(0, 12);
  }

  /** The topic is what unlucky writers left: repeated, with holes that were filled behind. */
  @ParameterizedTest
  @MethodSource("seeds")
  void worldsThatChangeAtEveryResumptionReadWhatOneReads(long seed) {
    TestingStream stream = new TestingStream(4, SIZES);
    FaultyWriters writers = new FaultyWriters(stream, seed);
    Random random = new Random(seed);
    StreamState state = StreamState.start("r-1");
    List<byte[]> read = new ArrayList<>();
    for (int phase = 0; phase < WORLDS.length; phase++) {
      int worldSize = WORLDS[phase];
      long end = phase + 1 == WORLDS.length ? SIZES.length : state.batch() + 1 + random.nextInt(2);
      List<List<GlobalBatch>> ranks = new ArrayList<>();
      Set<StreamState> states = new TreeSet<>((a, b) -> a.equals(b) ? 0 : 1);
      for (int rank = 0; rank < worldSize; rank++) {
        StreamReader reader = open(stream, writers, TestingReaders.rank(rank, worldSize));
        ranks.add(TestingReaders.read(reader, state, end));
        states.add(StreamState.parse(reader.state().toJson()));
      }
      for (int i = 0; i < end - state.batch(); i++) {
        for (List<GlobalBatch> rank : ranks) {
          GlobalBatch batch = rank.get(i);
          assertThat(batch.sequences()).hasSize(batch.size() / worldSize);
          batch.sequences().forEach(row -> read.add(row.encodedBlock()));
        }
      }
      assertThat(states).hasSize(1);
      state = states.iterator().next();
    }
    assertThat(read)
        .containsExactlyElementsOf(
            stream.sequences().stream().map(TestingStream.Sequence::value).toList());
  }

  @Test
  void rowsAndPartitionsFollowTheSharedVectors() throws IOException {
    JsonNode vectors =
        new ObjectMapper()
            .readTree(Path.of("../../schemas/src/test/resources/vectors/share.json").toFile());
    for (JsonNode vector : vectors) {
      TrainerRank rank =
          TrainerRank.of(vector.get("rank").intValue(), vector.get("worldSize").intValue());
      List<BatchSize> sizes = new ArrayList<>();
      for (JsonNode size : vector.get("batchSizes")) {
        sizes.add(
            new BatchSize(size.get("fromBatch").longValue(), size.get("sequences").intValue()));
      }
      RunSpec spec =
          RunSpec.newBuilder(new TestingStream(1, 4).run().spec()).setBatchSizes(sizes).build();
      BatchSchedule schedule = BatchSchedule.of(spec, 0, 0);
      Set<Integer> partitions =
          rank.partitions(
              schedule,
              0,
              vector.get("batches").longValue(),
              vector.get("streamPartitions").intValue());
      assertThat(partitions)
          .containsExactly(
              new ObjectMapper().convertValue(vector.get("partitions"), Integer[].class));
      for (JsonNode rows : vector.get("rowsOfBatch")) {
        BatchSchedule.Stretch stretch =
            schedule.between(rows.get("batch").longValue() - 1, 0).get(0);
        int count = rank.rows(stretch.fromBatch(), stretch.sequences());
        assertThat(count).isEqualTo(rows.get("rows").intValue());
        assertThat(stretch.firstIndex() + (long) rank.rank() * count)
            .isEqualTo(rows.get("firstRow").longValue());
      }
    }
  }

  @Test
  void replicasReadIdenticalRowsAndOnlyTheFirstReports() {
    TestingStream stream = new TestingStream(2, 4, 4);
    FaultyWriters writers = new FaultyWriters(stream, 1);
    List<List<String>> rows = new ArrayList<>();
    for (int replica = 0; replica < 3; replica++) {
      TrainerRank rank = TrainerRank.of(1, 2).withReplica(replica);
      assertThat(rank.reports()).isEqualTo(replica == 0);
      StreamReader reader = open(stream, writers, StreamOptions.defaults().withRank(rank));
      rows.add(
          TestingReaders.read(reader, StreamState.start("r-1"), 2).stream()
              .flatMap(batch -> batch.sequences().stream())
              .map(Sequence::toString)
              .toList());
    }
    assertThat(rows.get(0)).hasSize(4).isEqualTo(rows.get(1)).isEqualTo(rows.get(2));
  }

  /** Rank 0 of 2 needs partitions 0 and 1 for batches of 4, all of them for batches of 8. */
  @Test
  void readsMorePartitionsOnceTheLogHasLargerBatches() {
    TestingStream stream = new TestingStream(4, 4, 4, 8, 8);
    RunInfo before = new RunInfo("r-1", TestingStream.spec(4, new int[] {4}));
    List<ControlRecord> log = new ArrayList<>();
    log.add(TestingLog.started(before));
    TestingConsumer<byte[]> control = TestingReaders.log(log);
    TestingConsumer<ByteBuffer> topic = topic(4);
    stream.sequences().stream().limit(8).forEach(each -> topic.append(TestingReaders.STREAM, each));
    StreamReader reader =
        TestingReaders.open(
            before, TestingReaders.STREAM, topic, control, TestingReaders.rank(0, 2));
    assertThat(TestingReaders.read(reader, StreamState.start("r-1"), 2)).hasSize(2);
    assertThat(topic.assignment()).hasSize(2);

    TestingReaders.append(control, TestingLog.grant("r-1", 1, 0, 0, 2));
    RunInfo after = new RunInfo("r-1", TestingStream.spec(4, new int[] {8}));
    TestingReaders.append(control, TestingLog.revised(after, 0, 2, 1, 2, 8, 1));
    stream.sequences().stream().skip(8).forEach(each -> topic.append(TestingReaders.STREAM, each));
    List<Long> indices = new ArrayList<>();
    for (int batch = 3; batch <= 4; batch++) {
      reader
          .next(java.time.Duration.ofSeconds(20))
          .sequences()
          .forEach(row -> indices.add(row.index()));
    }
    assertThat(indices).containsExactly(8L, 9L, 10L, 11L, 16L, 17L, 18L, 19L);
    assertThat(topic.assignment()).hasSize(4);
  }

  @Test
  void namesWhatIsWrong() {
    assertThatThrownBy(() -> TrainerRank.of(4, 4))
        .isInstanceOf(InvalidWorldSizeException.class)
        .hasMessage("rank must be in [0, world size), world size at least 1: rank 4 of 4");
    assertThatThrownBy(() -> TrainerRank.single().withReplica(-1))
        .hasMessage("replica must not be negative: -1");
    TestingStream stream = new TestingStream(4, 12, 8);
    assertThatThrownBy(() -> open(stream, new FaultyWriters(stream, 0), TestingReaders.rank(0, 3)))
        .isInstanceOf(InvalidWorldSizeException.class)
        .hasMessage(
            "world size 3 does not divide the 8 sequences of batch 2: use a world size that divides"
                + " every batch of the run");
  }

  private static TestingConsumer<ByteBuffer> topic(int partitions) {
    TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(50);
    topic.create(TestingReaders.STREAM, partitions);
    return topic;
  }

  private static StreamReader open(
      TestingStream stream, FaultyWriters writers, StreamOptions options) {
    TestingConsumer<ByteBuffer> topic = topic(stream.partitions());
    for (int p = 0; p < stream.partitions(); p++) {
      writers.partition(p).forEach(each -> topic.append(TestingReaders.STREAM, each));
    }
    return TestingReaders.open(
        stream.run(),
        TestingReaders.STREAM,
        topic,
        TestingReaders.log(List.of(TestingLog.started(stream.run()))),
        options);
  }
}
