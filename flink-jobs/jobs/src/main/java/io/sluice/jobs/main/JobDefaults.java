package io.sluice.jobs.main;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;

/**
 * What a job wants of Flink where the cluster says nothing: checkpoints, RocksDB, restarts without
 * end that back off. Where checkpoints go only the cluster knows.
 */
public final class JobDefaults {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final Duration CHECKPOINT_TIMEOUT = Duration.ofMinutes(2);

  /** A slow disk fails a checkpoint, not the job. */
  private static final int FAILED_CHECKPOINTS = 100;

  /** What is set here; options have earlier names, too, by which a cluster may say them. */
  static final List<ConfigOption<?>> OPTIONS =
      List.of(
          PipelineOptions.GENERIC_TYPES,
          PipelineOptions.OBJECT_REUSE,
          StateBackendOptions.STATE_BACKEND,
          CheckpointingOptions.CHECKPOINTING_INTERVAL,
          CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS,
          CheckpointingOptions.CHECKPOINTING_TIMEOUT,
          CheckpointingOptions.TOLERABLE_FAILURE_NUMBER,
          CheckpointingOptions.INCREMENTAL_CHECKPOINTS,
          CheckpointingOptions.CHECKPOINT_STORAGE,
          CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
          RestartStrategyOptions.RESTART_STRATEGY,
          RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
          RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
          RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER,
          RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_JITTER_FACTOR,
          RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD);

  private static final String IN_MEMORY = "jobmanager";

  private JobDefaults() {}

  /** All of them, with checkpoints at such intervals. */
  public static Configuration of(Duration checkpointInterval) {
    Configuration c = new Configuration();
    c.set(PipelineOptions.GENERIC_TYPES, false);
    c.set(PipelineOptions.OBJECT_REUSE, true);
    c.set(StateBackendOptions.STATE_BACKEND, "rocksdb");
    c.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
    c.set(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS, checkpointInterval.dividedBy(4));
    c.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, CHECKPOINT_TIMEOUT);
    c.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, FAILED_CHECKPOINTS);
    c.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
    c.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
    c.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    restarts(c);
    return c;
  }

  private static void restarts(Configuration c) {
    c.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    c.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF, FIRST_PAUSE);
    c.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, LONGEST_PAUSE);
    c.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_BACKOFF_MULTIPLIER, 2.0);
    c.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_JITTER_FACTOR, 0.0);
    c.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD, QUIET);
  }

  /** Those of them that the cluster's configuration leaves open. */
  static Configuration besides(ReadableConfig cluster, Duration checkpointInterval) {
    Configuration open = of(checkpointInterval);
    for (ConfigOption<?> option : OPTIONS) {
      if (cluster.getOptional(option).isPresent()) {
        open.removeConfig(option);
      }
    }
    return open;
  }

  /**
   * Checks that the cluster keeps checkpoints where they outlive its processes.
   *
   * @throws JobRefusedException naming the keys
   */
  static void requireDurable(ReadableConfig cluster) {
    String directory =
        cluster.getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY).orElse("").strip();
    if (directory.isEmpty()) {
      throw refused(
          CheckpointingOptions.CHECKPOINTS_DIRECTORY,
          "must be a directory that every process of the cluster reaches, such as s3://bucket/sluice or"
              + " file:///shared/sluice: without checkpoints no block and no batch can be read",
          "not set");
    }
    requireScheme(directory);
    String storage =
        cluster.getOptional(CheckpointingOptions.CHECKPOINT_STORAGE).orElse("filesystem");
    if (storage.toLowerCase(Locale.ROOT).equals(IN_MEMORY)) {
      throw refused(
          CheckpointingOptions.CHECKPOINT_STORAGE,
          "must be filesystem: what the job manager holds in memory is gone with it",
          storage);
    }
    cluster
        .getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
        .filter(interval -> interval.toMillis() < 1)
        .ifPresent(
            interval -> {
              throw refused(
                  CheckpointingOptions.CHECKPOINTING_INTERVAL,
                  "must be at least 1 ms, or not set: without checkpoints no batch can be read",
                  interval.toString());
            });
  }

  private static void requireScheme(String directory) {
    String scheme;
    try {
      scheme = URI.create(directory).getScheme();
    } catch (IllegalArgumentException e) {
      scheme = null;
    }
    if (scheme == null) {
      throw refused(
          CheckpointingOptions.CHECKPOINTS_DIRECTORY,
          "must be a URI with its scheme, such as s3://bucket/sluice or file:///shared/sluice",
          directory);
    }
  }

  private static JobRefusedException refused(ConfigOption<?> option, String rule, String found) {
    return new JobRefusedException(
        String.join(" ", List.of(option.key(), rule + ":", found, "(Flink's configuration)")));
  }
}
