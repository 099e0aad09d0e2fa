package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.Measurement.Total;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class FeedbackPublisherTest {
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final FeedbackPublisher publisher =
      new FeedbackPublisher(
          new TestingStream(1, 4).run(),
          new Reporter(1, 8, 3),
          "sluice.feedback.r",
          InstantSource.fixed(Instant.ofEpochMilli(42)),
          producer);

  @Test
  void sendsSumsAndThenProgressToTheOnePartition() {
    publisher.publish(loss(Map.of("prose", new Total(12.5, 4))));
    publisher.progress(10, 11, 5);

    assertThat(producer.history()).allMatch(message -> message.partition() == 0);
    List<SpecificRecordBase> sent =
        producer.history().stream().map(message -> WireCodec.decode(message.value())).toList();
    assertThat(sent)
        .containsExactly(
            new TrainerFeedback(
                "r-1",
                1,
                10L,
                11L,
                "nonce",
                8,
                3,
                "eval_loss",
                List.of(new DomainMeasure("prose", 12.5, 4L)),
                42L),
            new TrainerProgress("r-1", 1, 10L, 11L, 8, 3, 5L, 42L));
  }

  @Test
  void refusesWhatNoRunCouldUse() {
    assertRefused(
        loss(Map.of("sql", new Total(1, 1))),
        "unknown domain 'sql': run r-1 has java, prose, config");
    assertRefused(
        loss(Map.of("java", new Total(Double.NaN, 1))), "sum of domain 'java' must be finite: NaN");
    assertRefused(
        loss(Map.of("java", new Total(Double.POSITIVE_INFINITY, 1))),
        "sum of domain 'java' must be finite: Infinity");
    assertRefused(
        loss(Map.of("java", new Total(1, 0))), "count of domain 'java' must be at least 1: 0");
    assertRefused(loss(Map.of()), "a measurement must have at least one domain");
    assertRefused(
        Measurement.evalLoss(-1, 0, "nonce", Map.of("java", new Total(1, 1))),
        "step must not be negative: -1");
    assertRefused(
        Measurement.evalLoss(1, 0, " ", Map.of("java", new Total(1, 1))),
        "attempt must not be blank");
    assertThatThrownBy(() -> publisher.progress(3, 3, 4))
        .isInstanceOf(InvalidFeedbackException.class)
        .hasMessage("oldestCheckpoint must be in [-1, 3]: 4");
    assertThat(producer.history()).isEmpty();
  }

  private void assertRefused(Measurement measurement, String message) {
    assertThatThrownBy(() -> publisher.publish(measurement))
        .isInstanceOf(InvalidFeedbackException.class)
        .hasMessage(message);
  }

  @Test
  void takesNothingMoreOnceARecordIsLost() {
    publisher.publish(loss(Map.of("java", new Total(1, 1))));
    producer.errorNext(new TimeoutException("too late"));
    assertThatThrownBy(() -> publisher.progress(10, 11, -1))
        .isInstanceOf(FeedbackLostException.class)
        .hasMessage("feedback was not acknowledged by sluice.feedback.r: too late");
    assertThatThrownBy(publisher::flush).isInstanceOf(FeedbackLostException.class);
    assertThat(producer.history()).hasSize(1);
  }

  @Test
  void flushReturnsWhenAllIsAcknowledged() {
    publisher.progress(1, 1, -1);
    publisher.flush();
    assertThat(producer.flushed()).isTrue();
  }

  private static Measurement loss(Map<String, Total> domains) {
    return Measurement.evalLoss(10, 11, "nonce", domains);
  }
}
