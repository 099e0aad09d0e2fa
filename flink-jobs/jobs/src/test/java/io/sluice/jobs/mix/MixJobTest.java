package io.sluice.jobs.mix;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.KafkaAccess;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;

class MixJobTest {
  /** A savepoint of a release is restored in the next by these: none goes, none is renamed. */
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
        .containsExactlyInAnyOrder(
            "mix-events",
            "mix-of-runs",
            "mix-supply",
            "mix-reweight",
            "mix-control",
            "Sink Committer: mix-control",
            "mix-run-logs",
            "mix-status",
            "Sink Committer: mix-status",
            "mix-dead-letters",
            "Sink Committer: mix-dead-letters",
            "mix-reclaim",
            "mix-reclaim-failures",
            "Sink Committer: mix-reclaim-failures",
            "mix-blocks",
            "mix-streams");
  }
}
