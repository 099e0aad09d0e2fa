package io.sluice.jobs.main;

import io.sluice.control.refine.Refineries;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.refine.RefineJob;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import java.time.Duration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code refine}. */
@Command(name = "refine", description = "The job that makes domains of documents.")
final class RefineCommand extends JobCommand {
  @Option(
      names = "--refinery",
      required = true,
      paramLabel = "NAME",
      description = "Refinery, by 'sluice refine apply'; every task's machine has its models.")
  private String refinery = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads of each task that examine texts. Default: as many as its process has processors.")
  private int threads;

  @Override
  String jobName() {
    return "sluice refine " + refinery;
  }

  @Override
  Duration checkpointInterval(KafkaAccess kafka) {
    return RefineJob.checkpointInterval(spec(kafka));
  }

  @Override
  void ensureTopics(TopicAdmin admin, KafkaAccess kafka) {
    admin.ensureService();
    admin.ensureRefinery(spec(kafka));
  }

  @Override
  void build(StreamExecutionEnvironment env, KafkaAccess kafka) {
    RefineJob.build(env, kafka, spec(kafka), threads);
  }

  private RefineSpec spec(KafkaAccess kafka) {
    return new Refineries(kafka).require(refinery);
  }
}
