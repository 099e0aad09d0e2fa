package io.sluice.jobs.mix.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** The bytes of the control plane's splits. */
class KeptSplitsSerializerTest {
  /** What a release wrote in which each split stood for itself. */
  private static final String SINGLE =
      "000b636f6e74726f6c2e612e310000000000000000000000298000000000000000";

  private static final KafkaPartitionSplit LOG = split("control.a.1", 41);
  private static final KafkaPartitionSplit FEEDBACK = split("feedback.a", 9);

  private final KafkaPartitionSplitSerializer single = new KafkaPartitionSplitSerializer();
  private final KeptSplitsSerializer serializer = new KeptSplitsSerializer(single);

  private static KafkaPartitionSplit split(String topic, long offset) {
    return new KafkaPartitionSplit(new TopicPartition(topic, 0), offset);
  }

  private KafkaPartitionSplit copy(KafkaPartitionSplit split) throws IOException {
    return serializer.deserialize(serializer.getVersion(), serializer.serialize(split));
  }

  @Test
  void aSplitIsWhatItWas() throws IOException {
    assertThat(copy(LOG)).isEqualTo(LOG).isExactlyInstanceOf(KafkaPartitionSplit.class);
  }

  @Test
  void keptSplitsAreWhatTheyWere() throws IOException {
    KafkaPartitionSplit copy = copy(new KeptSplits(3, List.of(LOG, FEEDBACK)));
    assertThat(((KeptSplits) copy).splits()).containsExactly(LOG, FEEDBACK);
    assertThat(copy.splitId()).isEqualTo(new KeptSplits(3, List.of()).splitId());
  }

  @Test
  void readersKeepThemUnderIdsOfTheirOwn() {
    assertThat(new KeptSplits(0, List.of()).splitId())
        .isNotEqualTo(new KeptSplits(1, List.of()).splitId());
  }

  @Test
  void whatWasWrittenOneByOneIsRead() throws IOException {
    byte[] bytes = HexFormat.of().parseHex(SINGLE);
    assertThat(serializer.deserialize(0, bytes)).isEqualTo(LOG);
    assertThatThrownBy(() -> serializer.deserialize(0, new byte[2]))
        .isInstanceOf(IOException.class);
  }
}
