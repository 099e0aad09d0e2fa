package io.sluice.jobs.mix.source;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.EmissionWait;
import io.sluice.schema.Limits;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StatusNoticesTest {
  private final BlockingQueue<ProducerRecord<byte[], byte[]>> sent = new LinkedBlockingQueue<>();
  private final BlockingQueue<Boolean> closedInterrupted = new LinkedBlockingQueue<>();
  private boolean away;

  private final StatusNotices notices =
      new StatusNotices(
          "sluice.status",
          () ->
              new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                @Override
                public synchronized Future<RecordMetadata> send(
                    ProducerRecord<byte[], byte[]> record, Callback callback) {
                  sent.add(record);
                  if (away) {
                    throw new TimeoutException("no broker");
                  }
                  return super.send(record, callback);
                }

                @Override
                public void close(Duration timeout) {
                  closedInterrupted.add(Thread.currentThread().isInterrupted());
                  super.close(timeout);
                }
              },
          "notices");

  @AfterEach
  void close() {
    notices.close();
  }

  @Test
  void aWaitIsARecordOfTheLaneAndItsEndOneWithoutAValue() throws Exception {
    notices.waits("r.1", 2, "x".repeat(5_000), 17);
    notices.flows("r.1", 2);
    ProducerRecord<byte[], byte[]> first = sent.poll(60, SECONDS);
    ProducerRecord<byte[], byte[]> second = sent.poll(60, SECONDS);
    assertThat(first.topic()).isEqualTo("sluice.status");
    assertThat(new String(first.key(), StandardCharsets.UTF_8)).isEqualTo("r.1/2");
    EmissionWait wait = WireCodec.decode(EmissionWait.class, first.value());
    assertThat(wait.getRunId()).isEqualTo("r.1");
    assertThat(wait.getLane()).isEqualTo(2);
    assertThat(wait.getSinceMillis()).isEqualTo(17);
    assertThat(wait.getWaiting()).hasSize(Limits.TEXT);
    assertThat(second.key()).isEqualTo(first.key());
    assertThat(second.value()).isNull();
  }

  @Test
  void isClosedWithoutAnExceptionOfKafkas() throws Exception {
    notices.flows("r.1", 0);
    assertThat(sent.poll(60, SECONDS)).isNotNull();
    notices.close();
    assertThat(closedInterrupted.poll(60, SECONDS)).as("interrupted at close").isFalse();
  }

  @Test
  void aBrokerThatIsAwayEndsNothing() throws Exception {
    away = true;
    notices.waits("r.1", 0, "for the broker to take what was sent", 1);
    notices.waits("r.1", 1, "for the broker to take what was sent", 1);
    assertThat(sent.poll(60, SECONDS)).isNotNull();
    assertThat(sent.poll(60, SECONDS)).isNotNull();
  }
}
