package io.sluice.lab.bench.start;

import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;

/**
 * How long each part of a run's start took, in nanoseconds.
 *
 * @param asked until its topics are there and the job is asked for it
 * @param started until its control log says that it has started
 * @param opened until a trainer has opened its stream
 * @param first until the trainer has its rows of the first batch
 */
record StartedRun(long asked, long started, long opened, long first) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Starts a run and a trainer, the first rank of some, and ends the trainer. */
  static StartedRun of(KafkaAccess kafka, MixedRun run, String name, int ranks) {
    long begun = System.nanoTime();
    run.request(kafka, name);
    long asked = System.nanoTime();
    RunInfo found = RunDirectory.find(kafka, name, PATIENCE);
    long started = System.nanoTime();
    StreamOptions options = StreamOptions.defaults().withRank(TrainerRank.of(0, ranks));
    try (Loader loader = Loader.open(kafka, found, options)) {
      long opened = System.nanoTime();
      loader.next(PATIENCE);
      return new StartedRun(
          asked - begun, started - asked, opened - started, System.nanoTime() - opened);
    }
  }

  /** From applying the run to its first batch. */
  long whole() {
    return asked + started + opened + first;
  }
}
