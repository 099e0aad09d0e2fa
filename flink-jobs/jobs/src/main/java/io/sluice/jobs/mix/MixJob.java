package io.sluice.jobs.mix;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.mix.reweight.ControlPlane;
import io.sluice.jobs.mix.source.MixtureSource;
import io.sluice.jobs.mix.source.MixtureSourceSettings;
import io.sluice.jobs.mix.stream.StreamSink;
import io.sluice.jobs.mix.stream.StreamSinkSettings;
import io.sluice.schema.KafkaAccess;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The long-lived job that mixes every run's stream and moves its weights. */
public final class MixJob {
  private MixJob() {}

  /**
   * Adds the job to the environment, which must take checkpoints: streams are flushed when one
   * completes. The service's topics must exist ({@link TopicAdmin#ensureService}).
   */
  public static void build(StreamExecutionEnvironment env, KafkaAccess kafka) {
    build(env, kafka, StreamSinkSettings.defaults());
  }

  /** The same, with streams written in another way than the default. */
  public static void build(
      StreamExecutionEnvironment env, KafkaAccess kafka, StreamSinkSettings streams) {
    build(env, kafka, streams, MixtureSourceSettings.defaults());
  }

  /** The same, with blocks read in another way, too. */
  public static void build(
      StreamExecutionEnvironment env,
      KafkaAccess kafka,
      StreamSinkSettings streams,
      MixtureSourceSettings blocks) {
    env.configure(new Configuration().set(PipelineOptions.GENERIC_TYPES, false));
    // No hop of the control path waits for company, and no thread wakes up to flush it.
    env.setBufferTimeout(ExecutionOptions.FLUSH_AFTER_EVERY_RECORD);
    ControlPlane.add(env, kafka);
    env.fromSource(MixtureSource.of(kafka, blocks), WatermarkStrategy.noWatermarks(), "mix: blocks")
        .uid("mix-blocks")
        .sinkTo(new StreamSink(kafka, streams))
        .name("mix: streams")
        .uid("mix-streams");
  }
}
