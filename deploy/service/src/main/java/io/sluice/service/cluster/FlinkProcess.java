package io.sluice.service.cluster;

import io.sluice.service.supervise.ClockWatch;
import io.sluice.service.supervise.ParentWatch;
import java.util.Arrays;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;

/**
 * Main class of a Flink process: Flink's own, which ends at once when the service that started it
 * ends. Its state is in the jobs' checkpoints, so a crash is as good an end as any.
 */
final class FlinkProcess {
  static final String JOB_MANAGER = "job-manager";
  static final String TASK_MANAGER = "task-manager";

  private FlinkProcess() {}

  /** Takes which process it is, and then the arguments of Flink's main class. */
  public static void main(String[] args) throws Exception {
    ParentWatch.ignoreInterrupts();
    ParentWatch.dieWithParent();
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    if (args[0].equals(JOB_MANAGER)) {
      StandaloneSessionClusterEntrypoint.main(rest);
    } else {
      ClockWatch.endIfSetBack();
      TaskManagerRunner.main(rest);
    }
  }
}
