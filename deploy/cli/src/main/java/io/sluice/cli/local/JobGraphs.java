package io.sluice.cli.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/**
 * Jobs ready to be submitted: RocksDB state, incremental checkpoints under the job's name in the
 * state directory, endless restarts with a short back-off.
 */
public final class JobGraphs {
  private final FlinkSettings settings;
  private final Configuration over;

  /**
   * Graphs of jobs.
   *
   * @param over options that differ from what every service has
   */
  public JobGraphs(FlinkSettings settings, Configuration over) {
    this.settings = settings;
    this.over = over;
  }

  /** Options of a job that is restarted without end, after a pause of at most the given time. */
  public static Configuration restartingWithin(Duration longestPause) {
    return FlinkConfiguration.restarts(longestPause);
  }

  /**
   * The job's graph.
   *
   * @param name also names the directory of its checkpoints
   * @param pipeline adds the job's operators to the environment
   * @param restore checkpoint or savepoint to go on from; it is then the job's own
   */
  public JobGraph of(
      String name, Consumer<StreamExecutionEnvironment> pipeline, Optional<Path> restore) {
    Configuration configuration = FlinkConfiguration.ofJob(settings, checkpointsOf(name));
    configuration.addAll(over);
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

  private Path checkpointsOf(String name) {
    return settings
        .stateDirectory()
        .resolve("checkpoints")
        .resolve(name.replaceAll("[^A-Za-z0-9_.-]", "_"));
  }
}
