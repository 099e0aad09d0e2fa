package io.sluice.service.flink;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A Flink cluster inside this process: RocksDB state, incremental checkpoints in the state
 * directory, endless restarts with a short back-off. The checkpoints of a cancelled job stay, under
 * its name, and a later submission may go on from the latest.
 */
public final class EmbeddedFlink implements JobRunner, AutoCloseable {
  private static final Duration LONGEST_RESTART_PAUSE = Duration.ofSeconds(30);

  private final JobGraphs graphs;
  private final MiniCluster cluster;
  private final AtomicInteger nextTaskManager;

  private EmbeddedFlink(FlinkSettings settings, MiniCluster cluster) {
    this.graphs = new JobGraphs(settings, LONGEST_RESTART_PAUSE);
    this.cluster = cluster;
    this.nextTaskManager = new AtomicInteger(settings.taskManagers());
  }

  /**
   * Starts the cluster.
   *
   * @throws BadInputException if the state directory cannot be written
   * @throws UnreachableException if the cluster does not start
   */
  public static EmbeddedFlink start(FlinkSettings settings) {
    try {
      Files.createDirectories(settings.stateDirectory().resolve("tmp"));
    } catch (IOException e) {
      throw new BadInputException(
          "state directory must be one that can be made and written: "
              + settings.stateDirectory()
              + ": "
              + e,
          e);
    }
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(FlinkConfiguration.ofCluster(settings))
                .setNumTaskManagers(settings.taskManagers())
                .setNumSlotsPerTaskManager(settings.slots())
                .withRandomPorts()
                .build());
    try {
      cluster.start();
    } catch (Exception e) {
      throw new UnreachableException("the Flink mini cluster does not start: " + e, e);
    }
    return new EmbeddedFlink(settings, cluster);
  }

  /**
   * Submits a job that starts afresh.
   *
   * @param name also names the directory of its checkpoints
   * @param pipeline adds the job's operators to the environment
   */
  public JobHandle submit(String name, Consumer<StreamExecutionEnvironment> pipeline) {
    return submit(name, pipeline, Optional.empty());
  }

  /**
   * Submits a job.
   *
   * @param restore checkpoint or savepoint to go on from
   * @throws UnreachableException if the cluster does not take the job
   */
  public JobHandle submit(
      String name, Consumer<StreamExecutionEnvironment> pipeline, Optional<Path> restore) {
    JobGraph job = graphs.of(name, pipeline, restore);
    JobHandle.await(cluster.submitJob(job), "submitting job '" + name + "'");
    return new JobHandle(name, job.getJobID(), cluster);
  }

  @Override
  public JobHandle run(String name, Consumer<StreamExecutionEnvironment> pipeline) {
    return submit(name, pipeline, graphs.onlyLatestCheckpoints(name));
  }

  @Override
  public JobHandle runAfresh(String name, Consumer<StreamExecutionEnvironment> pipeline) {
    graphs.removeCheckpoints(name);
    return submit(name, pipeline, Optional.empty());
  }

  /** The latest retained checkpoint of the job with this name; empty when there is none. */
  public Optional<Path> latestCheckpoint(String name) {
    return graphs.latestCheckpoint(name);
  }

  /**
   * Ends a task manager as a crash would: its tasks fail, its slots are gone.
   *
   * @param index 0 for the first one of the cluster's life; an index is never used again
   */
  public void terminateTaskManager(int index) {
    JobHandle.await(cluster.terminateTaskManager(index), "terminating task manager " + index);
  }

  /**
   * Starts one more task manager.
   *
   * @return its index
   */
  public int startTaskManager() {
    try {
      cluster.startTaskManager();
    } catch (Exception e) {
      throw new UnreachableException("a task manager does not start: " + e, e);
    }
    return nextTaskManager.getAndIncrement();
  }

  /** Address of Flink's page and of its REST interface, for this machine alone. */
  public URI rest() {
    return JobHandle.await(cluster.getRestAddress(), "asking for Flink's address");
  }

  /** Suspends all jobs, keeping their checkpoints, and ends the cluster. */
  @Override
  public void close() {
    JobHandle.await(cluster.closeAsync(), "closing the Flink mini cluster");
  }
}
