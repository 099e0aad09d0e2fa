package io.sluice.service.flink;

import io.sluice.jobs.main.JobDefaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.state.rocksdb.RocksDBConfigurableOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.rocksdb.CompressionType;

/** Flink's options for a mini cluster, and for a job that runs on it. */
final class FlinkConfiguration {
  private static final String LOOPBACK = "localhost";

  private FlinkConfiguration() {}

  static Configuration ofCluster(FlinkSettings settings) {
    Configuration c = new Configuration();
    c.set(RestOptions.BIND_PORT, "0");
    // Its own parts have ports, too, and ask nobody for a password.
    c.set(RestOptions.BIND_ADDRESS, LOOPBACK);
    c.set(JobManagerOptions.BIND_HOST, LOOPBACK);
    c.set(TaskManagerOptions.BIND_HOST, LOOPBACK);
    FlinkPage.onlyToLookAt(c);
    FlinkSecurity.withoutHadoop(c);
    c.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    c.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(32));
    c.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(32));
    // Shared by all slots: a slot's part of the managed memory would be too small for one memtable.
    c.set(RocksDBOptions.FIX_PER_TM_MEMORY_SIZE, MemorySize.ofMebiBytes(128));
    // Flink looks at the shared size only where RocksDB declines the managed memory.
    c.set(RocksDBOptions.USE_MANAGED_MEMORY, false);
    c.set(CoreOptions.TMP_DIRS, settings.stateDirectory().resolve("tmp").toString());
    c.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, JobGraphs.RETAINED_CHECKPOINTS);
    return c;
  }

  /**
   * Options of a job whose checkpoints go to the given directory.
   *
   * @param longestPause before a restart
   */
  static Configuration ofJob(FlinkSettings settings, Path checkpoints, Duration longestPause) {
    Configuration c = JobDefaults.of(settings.checkpointInterval());
    c.set(CoreOptions.DEFAULT_PARALLELISM, 1);
    c.set(ExecutionOptions.BUFFER_TIMEOUT, Duration.ofMillis(1));
    // Most of the state is tokens that are replaced within seconds: packing them costs more than
    // disk.
    c.set(
        RocksDBConfigurableOptions.COMPRESSION_PER_LEVEL, List.of(CompressionType.NO_COMPRESSION));
    c.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    c.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, longestPause);
    return c;
  }

  /** Restores from the checkpoint, which becomes Flink's own to delete when newer ones exist. */
  static void restoreFrom(Configuration job, Path checkpoint) {
    job.set(StateRecoveryOptions.SAVEPOINT_PATH, checkpoint.toUri().toString());
    job.set(StateRecoveryOptions.RESTORE_MODE, RecoveryClaimMode.CLAIM);
  }
}
