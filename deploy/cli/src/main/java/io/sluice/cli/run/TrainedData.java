package io.sluice.cli.run;

import io.sluice.client.error.InvalidStateException;
import io.sluice.client.error.StreamException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.DataAge;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunCatalog;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data that a running run's trainers are at.
 *
 * @param batch that they reported last
 * @param age of its blocks, now
 */
record TrainedData(long batch, DataAge age) {
  private static final Logger LOG = LoggerFactory.getLogger(TrainedData.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /**
   * Reads the batch from the run's stream. Empty for a run that does not train now, where its batch
   * cannot be read, and for blocks that do not say when they were packed.
   */
  static Optional<TrainedData> read(
      KafkaAccess access, RunCatalog.Entry entry, InstantSource clock) {
    long batch = entry.status().map(status -> status.getProgress()).orElse(0L);
    return batch == 0 || !entry.phase().equals(RunPhase.RUNNING.wireName())
        ? Optional.empty()
        : entry
            .fold()
            .filter(fold -> batch <= fold.state().position().granted())
            .flatMap(fold -> age(access, fold, batch, clock))
            .map(age -> new TrainedData(batch, age));
  }

  private static Optional<DataAge> age(
      KafkaAccess access, RunFold fold, long batch, InstantSource clock) {
    RunInfo run = new RunInfo(fold.runId(), fold.spec());
    StreamOptions options = StreamOptions.defaults().observing().withBufferBytes(0);
    try (Loader loader = Loader.open(access, run, options)) {
      loader.seekToBatch(batch);
      return loader.next(PATIENCE).age(clock.instant());
    } catch (StreamException | InvalidStateException e) {
      LOG.debug("batch {} of run {} cannot be read", batch, fold.runId(), e);
      return Optional.empty();
    }
  }
}
