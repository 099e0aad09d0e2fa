package io.sluice.jobs.main;

import io.sluice.control.config.Durations;
import io.sluice.control.error.BadInputException;
import io.sluice.control.reach.Reachability;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every job has: how Kafka is reached, plugins, and Sluice's defaults of Flink's options. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class JobCommand {
  /** The target of a program that Flink's job manager runs itself. */
  private static final String EMBEDDED = "embedded";

  @Mixin private KafkaOptions kafka = new KafkaOptions();

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description =
          "Directory of jars with policies of your own, which go to the cluster with the job; those"
              + " in Flink's usrlib are there already.")
  private @Nullable Path plugins;

  @Option(
      names = "--heap-share",
      paramLabel = "SHARE",
      description =
          "Share of each process's heap, from 0.01 to 0.9, that the job may take there: mix for the"
              + " blocks of all runs, prepare for documents and open blocks, refine for filters."
              + " Default: 0.4, of refine 0.75; of mix what the cluster says by"
              + " sluice.mix.heap-share.")
  private @Nullable Double heapShare;

  @Option(
      names = "--delivery-timeout",
      paramLabel = "TIME",
      description =
          "How long the broker may stay away before the job restarts, at least 1s. Default: 60s, of"
              + " prepare and refine 2min.")
  private @Nullable String deliveryTimeout;

  @Option(
      names = "--no-create-topics",
      description =
          "Make no topics: they are there, made by what 'sluice plan' prints, or the job is refused.")
  private boolean noCreateTopics;

  /**
   * What a job is, beside what all have.
   *
   * @param name in Flink's page
   * @param checkpointInterval from one checkpoint to the next, unless the cluster says otherwise
   * @param topics makes those that it needs beside the service's
   * @param operators adds them
   */
  record Job(
      String name,
      Duration checkpointInterval,
      Consumer<TopicAdmin> topics,
      Consumer<StreamExecutionEnvironment> operators) {}

  /**
   * The share of the heap that is asked for.
   *
   * @throws BadInputException if it is none
   */
  final Optional<HeapShare> heapShare() {
    try {
      return Optional.ofNullable(heapShare).map(HeapShare::new);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--heap-share: " + e.getMessage(), e);
    }
  }

  /**
   * How long the broker may stay away.
   *
   * @throws BadInputException if it is less than 1 s
   */
  final Optional<Duration> deliveryTimeout() {
    if (deliveryTimeout == null) {
      return Optional.empty();
    }
    Duration timeout = Durations.require("--delivery-timeout", deliveryTimeout);
    if (timeout.toMillis() < 1_000) {
      throw new BadInputException(
          "--delivery-timeout must be at least 1s: '" + deliveryTimeout + "'");
    }
    return Optional.of(timeout);
  }

  /** The same for whatever writes, and a third of it for each request, which Kafka wants less. */
  final KafkaAccess timed(KafkaAccess kafka) {
    return deliveryTimeout()
        .map(
            timeout ->
                kafka.withSettings(
                    Map.of(
                        "delivery.timeout.ms", Long.toString(timeout.toMillis()),
                        "request.timeout.ms", Long.toString(timeout.toMillis() / 3))))
        .orElse(kafka);
  }

  /** The job that the arguments ask for. */
  abstract Job job(KafkaAccess kafka);

  /**
   * Submits the job.
   *
   * @param arguments that it was asked for with, which it then says of itself
   */
  final void submit(List<String> arguments) throws Exception {
    FlinkVersion.require(EnvironmentInformation.getVersion());
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    JobDefaults.requireDurable(env.getConfiguration());
    KafkaAccess access = reached(env.getConfiguration());
    Job job = prepared(access);
    env.configure(
        JobDefaults.besides(env.getConfiguration(), job.checkpointInterval()),
        Thread.currentThread().getContextClassLoader());
    if (plugins != null) {
      env.configure(PluginJars.with(env.getConfiguration(), plugins));
    }
    // A savepoint of this release must fit the next: no operator goes by its place in the graph.
    env.configure(new Configuration().set(PipelineOptions.AUTO_GENERATE_UIDS, false));
    Map<String, String> parameters =
        new HashMap<>(
            env.getConfiguration()
                .getOptional(PipelineOptions.GLOBAL_JOB_PARAMETERS)
                .orElse(Map.of()));
    parameters.putAll(JobRecord.of(arguments).parameters());
    env.configure(new Configuration().set(PipelineOptions.GLOBAL_JOB_PARAMETERS, parameters));
    job.operators().accept(env);
    env.execute(job.name());
  }

  /** A job manager that begins anew may find brokers that do so, too; a person is told at once. */
  private KafkaAccess reached(ReadableConfig options) {
    KafkaAccess access = kafka.access();
    if (!EMBEDDED.equals(options.get(DeploymentOptions.TARGET))) {
      Reachability.require(access, "name others with --kafka, or let this machine through");
    }
    return noCreateTopics ? access.withoutCreating() : access;
  }

  /** The job, once its topics are there. */
  private Job prepared(KafkaAccess access) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
      Job job = job(access);
      job.topics().accept(admin);
      return job;
    }
  }
}
