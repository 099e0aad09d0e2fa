package io.sluice.service.local;

import io.sluice.service.flink.JobRunner;
import io.sluice.service.flink.RunningJob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs nothing, and counts what it was asked for. */
final class TestingRunner implements JobRunner, RunningJob {
  final List<String> started = new ArrayList<>();
  String failsWith = "";
  JobStatus status = JobStatus.RUNNING;
  int tries;
  int cancelled;

  @Override
  public RunningJob run(String name, Consumer<StreamExecutionEnvironment> pipeline) {
    tries++;
    if (!failsWith.isEmpty()) {
      throw new IllegalStateException(failsWith);
    }
    started.add(name);
    return this;
  }

  @Override
  public RunningJob runAfresh(String name, Consumer<StreamExecutionEnvironment> pipeline) {
    return run(name + " afresh", pipeline);
  }

  @Override
  public JobStatus status() {
    return status;
  }

  @Override
  public String reason() {
    return "; it broke";
  }

  @Override
  public void cancel() {
    cancelled++;
  }

  @Override
  public boolean hasEnded() {
    return status.isGloballyTerminalState();
  }
}
