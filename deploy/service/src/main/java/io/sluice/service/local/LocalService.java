package io.sluice.service.local;

import io.sluice.control.error.UnreachableException;
import io.sluice.jobs.mix.MixJob;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.flink.JobHandle;
import io.sluice.service.seal.SealThread;
import io.sluice.service.supervise.LongWait;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;
import org.jspecify.annotations.Nullable;

/**
 * Sluice on one machine: a broker (unless one is given), a Flink mini cluster, MixJob, and a
 * PrepareJob for every dataset and a RefineJob for every refinery that is published, now or later.
 * Started again on its state directory it goes on where it was.
 */
public final class LocalService implements Service {
  private static final int SLOTS = 32;

  private final OpenParts parts = new OpenParts();
  private @Nullable EmbeddedBroker broker;
  private final KafkaAccess access;
  private final EmbeddedFlink flink;
  private final JobHandle mix;
  private final DatasetJobs datasets;
  private final SealThread sealing;
  private final RestartWatch restarts;

  private LocalService(LocalSettings settings, Consumer<String> events) {
    restarts = new RestartWatch("mixing", events);
    try {
      Path directory = settings.stateDirectory();
      parts.add(StateLock.take(directory));
      access = settings.kafka().orElseGet(() -> startBroker(settings, events));
      LongWait wait = new LongWait(events);
      String clusterId = KafkaCluster.open(access, () -> broker != null && broker.isAlive(), wait);
      events.accept("Kafka on " + access.bootstrapServers() + ", state in " + directory);
      // Checkpoints hold offsets: they belong to one Kafka cluster, not to its address.
      flink =
          parts.add(
              EmbeddedFlink.start(
                  FlinkSettings.in(directory.resolve("flink").resolve(clusterId))
                      .withTaskManagers(1, SLOTS)
                      .withCheckpointInterval(settings.checkpointInterval())));
      String job = access.topics().prefix() + "mix";
      mix = flink.run(job, env -> MixJob.build(env, access));
      mix.awaitRunning(wait);
      events.accept("mixing");
      datasets = new DatasetJobs(flink, access, settings.preparation(1), events);
      RefineJobs refining = new RefineJobs(flink, access, settings.preparation(1), events);
      sealing = parts.add(SealThread.start(access, clusterId, events));
      parts.add(DatasetWatch.start(access, datasets, refining, sealing, events));
    } catch (RuntimeException | Error e) {
      parts.closeThoughInterrupted();
      throw e;
    }
  }

  /**
   * Starts the service and waits until MixJob runs.
   *
   * @param events told, in a sentence, what happens
   * @throws io.sluice.control.error.BadInputException if the state directory or the port cannot be
   *     used
   * @throws UnreachableException if the broker or the job does not start
   */
  public static LocalService start(LocalSettings settings, Consumer<String> events) {
    return new LocalService(settings, events);
  }

  @Override
  public KafkaAccess access() {
    return access;
  }

  @Override
  public URI flinkRest() {
    return flink.rest();
  }

  /** The mini cluster. */
  public EmbeddedFlink flink() {
    return flink;
  }

  /** The broker that was started; empty when one was given. */
  public Optional<EmbeddedBroker> broker() {
    return Optional.ofNullable(broker);
  }

  /** Prepares a dataset now, without waiting until it is seen on the datasets topic. */
  public void prepare(DatasetSpec spec) {
    datasets.apply(spec);
    sealing.apply(spec);
  }

  @Override
  public void requireRunning() {
    if (broker != null && !broker.isAlive()) {
      throw new UnreachableException("the broker on " + access.bootstrapServers() + " has ended");
    }
    restarts.look(mix, System.nanoTime());
    if (mix.status().isGloballyTerminalState() && mix.status() != JobStatus.CANCELED) {
      throw new UnreachableException("the mix job is " + mix.status() + mix.reason());
    }
  }

  /** Stops the jobs, which keep their checkpoints, and then the broker. */
  @Override
  public void close() {
    parts.close();
  }

  private KafkaAccess startBroker(LocalSettings settings, Consumer<String> events) {
    Path directory = settings.stateDirectory().resolve("kafka");
    broker = parts.add(EmbeddedBroker.start(directory, settings.port(), events));
    return new KafkaAccess(broker.bootstrapServers(), settings.topics(), Map.of());
  }
}
