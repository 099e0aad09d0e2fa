package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.junit.jupiter.api.Test;

class RecordWriterTest {
  @Test
  void aRefusalThatTheProducerHeardOfBeforeItSentIsTheUsers() {
    TopicAuthorizationException refused = new TopicAuthorizationException("a topic");
    assertThat(RecordWriter.refusal(new KafkaException("in an error state", refused)))
        .isSameAs(refused);
    assertThat(RecordWriter.refusal(refused)).isSameAs(refused);
    KafkaException other = new KafkaException("in an error state", new UnknownServerException());
    assertThat(RecordWriter.refusal(other)).isSameAs(other);
  }
}
