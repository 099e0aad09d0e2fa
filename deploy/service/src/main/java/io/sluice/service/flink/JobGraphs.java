package io.sluice.service.flink;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * Jobs ready to be submitted: RocksDB state, incremental checkpoints under the job's name in the
 * state directory, endless restarts with a short back-off.
 *
 * @param longestPause between a failure of a job and its restart
 */
public record JobGraphs(FlinkSettings settings, Duration longestPause) {
  /** Checkpoints of each job that are kept; an option of the cluster, not of the job. */
  public static final int RETAINED_CHECKPOINTS = 2;

  /**
   * The job's graph.
   *
   * @param name also names the directory of its checkpoints
   * @param pipeline adds the job's operators to the environment
   * @param restore checkpoint or savepoint to go on from; it is then the job's own
   */
  public JobGraph of(
      String name, Consumer<StreamExecutionEnvironment> pipeline, Optional<Path> restore) {
    Configuration configuration =
        FlinkConfiguration.ofJob(settings, checkpointsOf(name), longestPause);
    restore.ifPresent(from -> FlinkConfiguration.restoreFrom(configuration, from));
    StreamExecutionEnvironment environment = new StreamExecutionEnvironment(configuration);
    pipeline.accept(environment);
    StreamGraph streamGraph = environment.getStreamGraph();
    streamGraph.setJobName(name);
    return streamGraph.getJobGraph();
  }

  /** The latest retained checkpoint of the job with this name; empty when there is none. */
  public Optional<Path> latestCheckpoint(String name) {
    return Checkpoints.latest(checkpointsOf(name));
  }

  /** Removes all checkpoints of the job, which must not run. */
  public void removeCheckpoints(String name) {
    Checkpoints.removeAll(checkpointsOf(name));
  }

  /**
   * Removes the checkpoints that earlier submissions of a job have left, once its present one needs
   * them no more.
   *
   * @return whether it had come so far
   */
  public boolean removeOlderCheckpoints(String name, JobID present) {
    return Checkpoints.removeOlder(checkpointsOf(name), present.toHexString());
  }

  /**
   * The same, before a job is submitted that does not run: everything but what its latest
   * checkpoint and the one before it need is removed.
   *
   * @return the latest checkpoint
   */
  Optional<Path> onlyLatestCheckpoints(String name) {
    Optional<Path> latest = latestCheckpoint(name);
    latest.ifPresent(
        path ->
            Checkpoints.removeOlder(
                checkpointsOf(name),
                Objects.requireNonNull(path.getParent()).getFileName().toString()));
    return latest;
  }

  private Path checkpointsOf(String name) {
    return settings
        .stateDirectory()
        .resolve("checkpoints")
        .resolve(name.replaceAll("[^A-Za-z0-9_.-]", "_"));
  }
}
