package io.sluice.jobs.main;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every job has: how Kafka is reached, plugins, and Sluice's defaults of Flink's options. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class JobCommand {
  @Mixin private KafkaOptions kafka = new KafkaOptions();

  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description =
          "Directory of jars with policies of your own, which go to the cluster with the job; those in"
              + " Flink's usrlib are there already.")
  private @Nullable Path plugins;

  @Option(
      names = "--no-create-topics",
      description = "Create no topics: they are there, made by 'sluice topics' or by manifests.")
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

  /** The job that the arguments ask for. */
  abstract Job job(KafkaAccess kafka);

  /** Submits the job. */
  final void submit() throws Exception {
    KafkaAccess access = kafka.access();
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    JobDefaults.requireDurable(env.getConfiguration());
    Job job = prepared(access);
    env.configure(
        JobDefaults.besides(env.getConfiguration(), job.checkpointInterval()),
        Thread.currentThread().getContextClassLoader());
    if (plugins != null) {
      env.configure(PluginJars.with(env.getConfiguration(), plugins));
    }
    // A savepoint of this release must fit the next: no operator goes by its place in the graph.
    env.configure(new Configuration().set(PipelineOptions.AUTO_GENERATE_UIDS, false));
    job.operators().accept(env);
    env.execute(job.name());
  }

  /** The job, once its topics are there, as far as it may make them. */
  private Job prepared(KafkaAccess access) {
    if (noCreateTopics) {
      return job(access);
    }
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
      Job job = job(access);
      job.topics().accept(admin);
      return job;
    }
  }
}
