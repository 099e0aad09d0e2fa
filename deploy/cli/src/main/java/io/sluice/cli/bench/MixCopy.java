package io.sluice.cli.bench;

import io.sluice.cli.local.JobHandle;
import io.sluice.jobs.mix.MixJob;
import io.sluice.schema.KafkaAccess;

/** MixJob, with one run of its own for each start. */
final class MixCopy implements Copy {
  private static final String JOB = "mix";

  private final Stage stage;
  private final MixedRun request;

  MixCopy(Stage stage, MixedRun request) {
    this.stage = stage;
    this.request = request;
  }

  @Override
  public String name() {
    return "mix";
  }

  /** The job goes on from its last checkpoint, so that it does not write the earlier runs again. */
  @Override
  public Running start(int number) {
    KafkaAccess kafka = stage.kafka();
    String run = "bench-" + number;
    JobHandle job =
        stage
            .flink()
            .submit(JOB, env -> MixJob.build(env, kafka), stage.flink().latestCheckpoint(JOB));
    request.request(kafka, run);
    return new Running() {
      @Override
      public String topic() {
        return kafka.topics().stream(run);
      }

      @Override
      public void close() {
        job.checkpoint();
        job.cancel();
        CopyTargets.delete(kafka, topic());
      }
    };
  }
}
