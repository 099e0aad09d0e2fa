package io.sluice.jobs.mix;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.KafkaAccess;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;

class MixJobTest {
  @Test
  void everyOperatorHasAUidAndATypeOfItsOwn() {
    Configuration strict = new Configuration();
    strict.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(strict);
    env.enableCheckpointing(1000);

    MixJob.build(env, KafkaAccess.local("unused:9092"));

    assertThat(env.getConfiguration().get(PipelineOptions.GENERIC_TYPES)).isFalse();
    assertThat(env.getBufferTimeout()).isZero();
    assertThat(env.getStreamGraph().getStreamNodes())
        .extracting(StreamNode::getTransformationUID)
        .doesNotContainNull()
        .contains(
            "mix-events",
            "mix-of-runs",
            "mix-supply",
            "mix-reweight",
            "mix-control",
            "mix-status",
            "mix-dead-letters",
            "mix-blocks",
            "mix-streams");
  }
}
