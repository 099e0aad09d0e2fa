package io.sluice.jobs.refine;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.refine.decide.RefinePipeline;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import java.time.Duration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

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

  /** The share of a process's heap that filters may take by default. */
  public static final HeapShare HEAP = new HeapShare(0.75);

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
   * Adds the job for one refinery to the environment, which must take checkpoints: documents can be
   * read once one completes. The topics must exist ({@link TopicAdmin#ensureRefinery}).
   *
   * @param threads that examine texts in each task, at least 1; 0 for as many as its process has
   *     processors
   * @param heap share of a process's heap that filters may take; with more the job does not begin
   * @throws io.sluice.control.error.BadInputException if a model cannot be used
   */
  public static void build(
      StreamExecutionEnvironment env,
      KafkaAccess kafka,
      RefineSpec spec,
      int threads,
      HeapShare heap) {
    new RefinePipeline(kafka, spec, heap).build(env, threads);
  }

  /** The same with the default share of the heap. */
  public static void build(
      StreamExecutionEnvironment env, KafkaAccess kafka, RefineSpec spec, int threads) {
    build(env, kafka, spec, threads, HEAP);
  }
}
