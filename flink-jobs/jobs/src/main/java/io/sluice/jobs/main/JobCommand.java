package io.sluice.jobs.main;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import java.nio.file.Path;
import java.time.Duration;
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

  /** Makes the topics that the job needs, as far as it may. */
  abstract void ensureTopics(TopicAdmin admin, KafkaAccess kafka);

  /** Name in Flink's page. */
  abstract String jobName();

  /** From one checkpoint to the next, unless the cluster says otherwise. */
  abstract Duration checkpointInterval(KafkaAccess kafka);

  /** Adds the job's operators. */
  abstract void build(StreamExecutionEnvironment env, KafkaAccess kafka);

  /** Submits the job. */
  final void submit() throws Exception {
    KafkaAccess access = kafka.access();
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    JobDefaults.requireDurable(env.getConfiguration());
    if (!noCreateTopics) {
      try (TopicAdmin admin = new TopicAdmin(access)) {
        ensureTopics(admin, access);
      }
    }
    env.configure(
        JobDefaults.besides(env.getConfiguration(), checkpointInterval(access)),
        Thread.currentThread().getContextClassLoader());
    if (plugins != null) {
      env.configure(PluginJars.with(env.getConfiguration(), plugins));
    }
    // A savepoint of this release must fit the next: no operator goes by its place in the graph.
    env.configure(new Configuration().set(PipelineOptions.AUTO_GENERATE_UIDS, false));
    build(env, access);
    env.execute(jobName());
  }
}
