package io.sluice.service.flink;

import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Where the service's jobs run: inside this process, or in processes of their own. */
public interface JobRunner {
  /**
   * Runs a job from its latest checkpoint on. One that is running under the name must have been
   * cancelled.
   *
   * @param name also names the directory of its checkpoints
   * @param pipeline adds the job's operators to the environment
   */
  RunningJob run(String name, Consumer<StreamExecutionEnvironment> pipeline);

  /** The same without any state: checkpoints that there are of the job are removed. */
  RunningJob runAfresh(String name, Consumer<StreamExecutionEnvironment> pipeline);
}
