package io.sluice.jobs.refine;

import io.sluice.control.refine.Refineries;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.refine.decide.RefinePipeline;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ParameterTool;

/**
 * The job that makes domains: documents of some domains → what their texts say of them → the
 * domains that they belong to, exactly once, without duplicates.
 */
public final class RefineJob {
  /** From one checkpoint to the next. */
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(2);

  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(1);

  /** Bytes of filters, which are written whole each time, for a second more. */
  private static final long FOR_A_SECOND = 8L << 20;

  private RefineJob() {}

  /**
   * Time from one checkpoint to the next, after which documents can be read: 2 s and one for each 8
   * MiB of filters, at most a minute.
   */
  public static Duration checkpointInterval(RefineSpec spec) {
    Duration wanted =
        CHECKPOINT_INTERVAL.plusSeconds(RefinePipeline.filterBytes(spec) / FOR_A_SECOND);
    return wanted.compareTo(LONGEST_INTERVAL) < 0 ? wanted : LONGEST_INTERVAL;
  }

  /**
   * Starts the job on a cluster: {@code --kafka host:port --refinery NAME [--prefix sluice.]
   * [--threads N]}. The specification comes from the {@code refineries} topic; each task's machine
   * has the models where it says.
   */
  public static void main(String[] arguments) throws Exception {
    ParameterTool options = ParameterTool.fromArgs(arguments);
    KafkaAccess kafka =
        new KafkaAccess(
            options.getRequired("kafka"),
            new Topics(options.get("prefix", Topics.standard().prefix())),
            Map.of());
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
    }
    RefineSpec spec = new Refineries(kafka).require(options.getRequired("refinery"));
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureRefinery(spec);
    }
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    if (!env.getCheckpointConfig().isCheckpointingEnabled()) {
      env.enableCheckpointing(checkpointInterval(spec).toMillis());
    }
    build(env, kafka, spec, options.getInt("threads", 0));
    env.execute("sluice refine " + spec.getName());
  }

  /**
   * Adds the job for one refinery to the environment, which must take checkpoints: documents can be
   * read once one completes. The topics must exist ({@link TopicAdmin#ensureRefinery}).
   *
   * @param threads that examine texts in each task, at least 1; 0 for as many as its process has
   *     processors
   * @throws io.sluice.control.error.BadInputException if a model cannot be used
   */
  public static void build(
      StreamExecutionEnvironment env, KafkaAccess kafka, RefineSpec spec, int threads) {
    new RefinePipeline(kafka, spec).build(env, threads);
  }
}
