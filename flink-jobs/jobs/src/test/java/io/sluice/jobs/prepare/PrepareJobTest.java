package io.sluice.jobs.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrepareJobTest {
  private static final KafkaAccess KAFKA = KafkaAccess.local("unused:9092");

  /** A savepoint of a release is restored in the next by these: none goes, none is renamed. */
  @Test
  void everyOperatorHasAUidAndATypeOfItsOwn() {
    Configuration strict = new Configuration();
    strict.set(PipelineOptions.GENERIC_TYPES, false);
    strict.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(strict);
    env.enableCheckpointing(1000);

    PrepareJob.build(env, KAFKA, TestingDatasets.dataset(16, 8, 0.1));

    assertThat(env.getStreamGraph().getStreamNodes())
        .extracting(StreamNode::getTransformationUID)
        .containsExactlyInAnyOrder(
            "prepare-demo-corpus",
            "prepare-demo-tokenize",
            "prepare-demo-dead-letters",
            "Sink Committer: prepare-demo-dead-letters",
            "prepare-demo-pack",
            "prepare-demo-blocks",
            "Sink Committer: prepare-demo-blocks");
  }

  @ParameterizedTest
  @CsvSource({"1, 2004", "8, 2032", "4096, 18384", "14499, 59996", "200000, 60000"})
  void checkpointsAreTheFurtherApartTheMoreDomainsThereAre(int domains, long millis) {
    DatasetSpec spec = TestingDatasets.dataset(16, 8, 0.1);
    spec.setDomains(IntStream.range(0, domains).mapToObj(i -> "d" + i).toList());
    assertThat(PrepareJob.checkpointInterval(spec)).hasMillis(millis);
  }

  @Test
  void refusesASpecificationThatDoesNotFit() {
    DatasetSpec spec = TestingDatasets.dataset(16, 8, 0.1);
    spec.setTokenizer("gpt9");

    assertThatThrownBy(
            () ->
                PrepareJob.build(StreamExecutionEnvironment.getExecutionEnvironment(), KAFKA, spec))
        .hasMessage(
            "tokenizer must be one of bytes, r50k_base, cl100k_base, o200k_base,"
                + " file:<path of a tokenizer.json>, or hf:ORG/NAME@REVISION: 'gpt9'");
  }
}
