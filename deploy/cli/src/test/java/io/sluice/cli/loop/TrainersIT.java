package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.audit.Auditor;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import io.sluice.service.Patience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trainers that die or change their number, on a real broker. */
class TrainersIT {
  private static final int BATCHES = 15;

  @TempDir private static Path directory;

  private static TestingService service;
  private static RunInfo run;
  private static List<String> uninterrupted;

  /** Four stream partitions; batches of 64 sequences, of 128 from the sixth on. */
  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    service.ingest("large", 2500, true);
    service.ingest("medium", 1500, true);
    service.ingest("small", 400, true);
    RunSpec spec = service.fixed("elastic", BATCHES);
    spec.setBatchSizes(List.of(new BatchSize(1L, 64), new BatchSize(6L, 128)));
    run = service.start(spec);
    uninterrupted = read(TrainerRank.single(), StreamState.start(run.runId()), BATCHES);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void worldsOfOneEightTwoSixtyFourAndFourReadTheSameBatches() {
    int[] worlds = {1, 8, 2, 64, 4};
    long[] ends = {2, 5, 8, 11, BATCHES};
    List<String> read = new ArrayList<>();
    StreamState state = StreamState.start(run.runId());
    for (int phase = 0; phase < worlds.length; phase++) {
      int worldSize = worlds[phase];
      StreamState from = state;
      long end = ends[phase];
      List<Map<Long, List<String>>> ranks =
          IntStream.range(0, worldSize)
              .parallel()
              .mapToObj(rank -> byBatch(TrainerRank.of(rank, worldSize), from, end))
              .toList();
      for (long batch = from.batch() + 1; batch <= end; batch++) {
        for (Map<Long, List<String>> rank : ranks) {
          read.addAll(rank.get(batch));
        }
      }
      state = after(end);
    }
    assertThat(read).isEqualTo(uninterrupted);
    assertThat(Auditor.audit(service.kafka, "elastic").violations()).isEmpty();
  }

  @Test
  void killedFiftyTimesATrainerReadsWhatItWouldHaveRead() {
    Random random = new Random(3);
    List<String> trained = new ArrayList<>();
    StreamState checkpoint = StreamState.start(run.runId());
    int kept = 0;
    int kills = 0;
    while (kills < 50 || checkpoint.batch() < BATCHES) {
      trained.subList(kept, trained.size()).clear();
      try (Loader stream = Loader.open(service.kafka, run, StreamOptions.defaults(), checkpoint)) {
        int steps = random.nextInt(4);
        for (int i = 0; i < steps && stream.state().batch() < BATCHES; i++) {
          trained.addAll(Testbed.rows(stream.next(Patience.MINUTE)));
          if (kills > 45 || random.nextInt(8) == 0) {
            checkpoint = StreamState.parse(stream.state().toJson());
            kept = trained.size();
          }
        }
      }
      kills++;
    }
    assertThat(trained).isEqualTo(uninterrupted);
  }

  private static StreamState after(long batch) {
    long sequences = 64 * Math.min(5, batch) + 128 * Math.max(0, batch - 5);
    return new StreamState(run.runId(), 0, batch, sequences);
  }

  private static List<String> read(TrainerRank rank, StreamState from, long toBatch) {
    return byBatch(rank, from, toBatch).values().stream().flatMap(List::stream).toList();
  }

  private static Map<Long, List<String>> byBatch(TrainerRank rank, StreamState from, long toBatch) {
    Map<Long, List<String>> batches = new TreeMap<>();
    StreamOptions options = StreamOptions.defaults().withRank(rank);
    try (Loader stream =
        Loader.open(
            service.kafka, run, rank.worldSize() > 8 ? options.observing() : options, from)) {
      while (stream.state().batch() < toBatch) {
        GlobalBatch batch = stream.next(Patience.MINUTE);
        batches.put(batch.batch(), Testbed.rows(batch));
      }
      assertThat(stream.state()).isEqualTo(after(toBatch));
    }
    return batches;
  }
}
