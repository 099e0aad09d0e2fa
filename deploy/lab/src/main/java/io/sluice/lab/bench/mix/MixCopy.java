package io.sluice.lab.bench.mix;

import io.sluice.jobs.mix.MixJob;
import io.sluice.lab.bench.measure.BenchTopics;
import io.sluice.lab.bench.measure.MixedRun;
import io.sluice.lab.bench.measure.Stage;
import io.sluice.lab.bench.measure.TopicMeter;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.flink.JobHandle;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * MixJob, with runs of its own for each start.
 *
 * @param runs that are mixed at a time
 */
record MixCopy(Stage stage, TopicMeter meter, MixedRun request, int runs) implements Copy {
  private static final String JOB = "mix";

  @Override
  public String name() {
    return "mix";
  }

  @Override
  public int times() {
    return runs;
  }

  /** The job goes on from its last checkpoint, so that it does not write the earlier runs again. */
  @Override
  public Running start(int number) {
    KafkaAccess kafka = stage.kafka();
    List<String> names =
        IntStream.range(0, runs).mapToObj(r -> "bench-" + number + "-" + r).toList();
    List<String> streams = names.stream().map(kafka.topics()::stream).toList();
    JobHandle job =
        stage
            .flink()
            .submit(JOB, env -> MixJob.build(env, kafka), stage.flink().latestCheckpoint(JOB));
    names.forEach(run -> request.request(kafka, run));
    List<TopicPartition> written =
        streams.stream()
            .flatMap(topic -> BenchTopics.partitions(topic, request.partitions()).stream())
            .toList();
    return new Running(
        written,
        () -> {
          // A run that is not complete would be gone on with beside the next one.
          meter.awaitRecords(written, runs * request.batches() * request.batchSize());
          job.checkpoint();
          job.cancel();
          BenchTopics.delete(kafka, streams);
        });
  }
}
