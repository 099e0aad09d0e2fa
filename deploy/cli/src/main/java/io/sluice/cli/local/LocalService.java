package io.sluice.cli.local;

import io.sluice.cli.error.UnreachableException;
import io.sluice.jobs.mix.MixJob;
import io.sluice.jobs.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Sluice on one machine: a broker (unless one is given), a Flink mini cluster, MixJob, and a
 * PrepareJob for every dataset that is published, now or later. Started again on its state
 * directory it goes on where it was.
 */
public final class LocalService implements AutoCloseable {
  private static final Duration BROKER_START = Duration.ofSeconds(60);
  private static final Duration JOB_START = Duration.ofMinutes(2);
  private static final int SLOTS = 32;
  private static final int PATIENCE_SECONDS = 15;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private @Nullable EmbeddedBroker broker;
  private final KafkaAccess access;
  private final EmbeddedFlink flink;
  private final JobHandle mix;
  private final DatasetJobs datasets;

  private LocalService(LocalSettings settings, Consumer<String> events) {
    boolean started = false;
    try {
      Path directory = settings.stateDirectory();
      opened(StateLock.take(directory));
      access = settings.kafka().orElseGet(() -> startBroker(settings));
      try (TopicAdmin admin = new TopicAdmin(access)) {
        admin.ensureService();
      }
      events.accept("Kafka on " + access.bootstrapServers() + ", state in " + directory);
      // Checkpoints hold offsets: they belong to one Kafka cluster, not to its address.
      flink =
          opened(
              EmbeddedFlink.start(
                  FlinkSettings.in(directory.resolve("flink").resolve(clusterId(access)))
                      .withTaskManagers(1, SLOTS)
                      .withCheckpointInterval(settings.checkpointInterval())));
      String job = access.topics().prefix() + "mix";
      mix = flink.submit(job, env -> MixJob.build(env, access), flink.latestCheckpoint(job));
      mix.awaitRunning(JOB_START);
      events.accept("mixing");
      datasets = new DatasetJobs(flink, access, events);
      opened(DatasetWatch.start(access, datasets));
      started = true;
    } finally {
      if (!started) {
        closeThoughInterrupted();
      }
    }
  }

  /**
   * Starts the service and waits until MixJob runs.
   *
   * @param events told, in a sentence, what happens
   * @throws io.sluice.cli.error.BadInputException if the state directory or the port cannot be used
   * @throws UnreachableException if the broker or the job does not start
   */
  public static LocalService start(LocalSettings settings, Consumer<String> events) {
    return new LocalService(settings, events);
  }

  /** How to reach the service's Kafka. */
  public KafkaAccess access() {
    return access;
  }

  /** The mini cluster. */
  public EmbeddedFlink flink() {
    return flink;
  }

  /** The broker that was started; empty when one was given. */
  public Optional<EmbeddedBroker> broker() {
    return Optional.ofNullable(broker);
  }

  /** The job that serves every run. */
  public JobHandle mixJob() {
    return mix;
  }

  /** The jobs that prepare, by dataset. */
  public Map<String, JobHandle> prepareJobs() {
    return datasets.running();
  }

  /** Prepares a dataset now, without waiting until it is seen on the datasets topic. */
  public void prepare(DatasetSpec spec) {
    datasets.apply(spec);
  }

  /**
   * Checks that everything still runs.
   *
   * @throws UnreachableException naming what has ended
   */
  public void requireRunning() {
    if (broker != null && !broker.isAlive()) {
      throw new UnreachableException("the broker on " + access.bootstrapServers() + " has ended");
    }
    if (mix.status().isGloballyTerminalState() && mix.status() != JobStatus.CANCELED) {
      throw new UnreachableException("the mix job is " + mix.status() + mix.reason());
    }
  }

  /** Stops the jobs, which keep their checkpoints, and then the broker. */
  @Override
  public void close() {
    RuntimeException failure = null;
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        failure = failure == null ? new IllegalStateException("a part does not stop", e) : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** An interruption asks for the end of the start, not for a hasty stop. */
  private void closeThoughInterrupted() {
    boolean interrupted = Thread.interrupted();
    close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private KafkaAccess startBroker(LocalSettings settings) {
    Path directory = settings.stateDirectory().resolve("kafka");
    broker = opened(EmbeddedBroker.start(directory, settings.port(), BROKER_START));
    return new KafkaAccess(broker.bootstrapServers(), settings.topics(), Map.of());
  }

  private <T extends AutoCloseable> T opened(T part) {
    parts.push(part);
    return part;
  }

  private static String clusterId(KafkaAccess access) {
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      return admin.describeCluster().clusterId().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new UnreachableException(
          "Kafka at " + access.bootstrapServers() + " does not say which cluster it is: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while asking Kafka", e);
    }
  }
}
