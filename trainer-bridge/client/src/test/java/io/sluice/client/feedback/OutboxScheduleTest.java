package io.sluice.client.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.client.error.FeedbackLostException;
import io.sluice.schema.TestingSchedule;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

final class OutboxScheduleTest {
  private static final Duration LONG = Duration.ofHours(1);

  /** A broker of steps: what it got is acknowledged, in order, when its thread is chosen. */
  private static final class Broker extends MockProducer<byte[], byte[]> {
    private final TestingSchedule schedule;
    private final List<String> got = Collections.synchronizedList(new ArrayList<>());
    private final List<Callback> waiting = new ArrayList<>();

    Broker(TestingSchedule schedule) {
      this.schedule = schedule;
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      schedule.step("send");
      synchronized (waiting) {
        waiting.add(callback);
        waiting.notifyAll();
      }
      got.add(((TrainerAttached) WireCodec.decode(record.value())).getHolder());
      return new CompletableFuture<>();
    }

    void acknowledge(int records, Exception error) throws InterruptedException {
      for (int i = 0; i < records; i++) {
        Callback next;
        synchronized (waiting) {
          while (waiting.isEmpty()) {
            waiting.wait();
          }
          next = waiting.remove(0);
        }
        schedule.step("acknowledge");
        next.onCompletion(null, error);
      }
    }

    @Override
    public void close(Duration timeout) {
      schedule.step("close");
      List<Callback> aborted;
      synchronized (waiting) {
        aborted = List.copyOf(waiting);
        waiting.clear();
      }
      aborted.forEach(each -> each.onCompletion(null, new KafkaException("closed")));
    }
  }

  private static Supplier<byte[]> record(String name) {
    return () ->
        WireCodec.encode(new TrainerAttached("r", 0, 0L, 1, 0, 0, name, "host", 1L, List.of(), 1L));
  }

  private static Outbox box(Broker broker, int capacity) {
    return new Outbox(broker, "sluice.feedback", new byte[0], capacity);
  }

  /** What ends the wait for two records. */
  private static Throwable putsTwo(TestingSchedule schedule, Outbox box) {
    return catchThrowable(
        () -> {
          box.put(record("a"));
          schedule.step("put");
          box.put(record("b"));
          box.flush(LONG);
        });
  }

  @Test
  void whatWasPutIsSentOnceAndInOrder() {
    TestingSchedule.explore(
        schedule -> {
          Broker broker = new Broker(schedule);
          Outbox box = box(broker, 10);
          schedule.all(
              () -> {
                for (String name : List.of("a", "b", "c")) {
                  box.put(record(name));
                  schedule.step("put");
                }
                box.flush(LONG);
                assertThat(broker.got).containsExactly("a", "b", "c");
                box.put(record("d"));
                box.close(LONG);
              },
              () -> broker.acknowledge(4, null));
          assertThat(broker.got).containsExactly("a", "b", "c", "d");
        });
  }

  @Test
  void whatIsNotAcknowledgedEndsWhoeverWaits() {
    TestingSchedule.explore(
        schedule -> {
          Broker broker = new Broker(schedule);
          Outbox box = box(broker, 10);
          schedule.all(
              () -> {
                Throwable told = putsTwo(schedule, box);
                assertThat(told).isInstanceOf(FeedbackLostException.class);
                assertThat(told).hasRootCauseMessage("refused");
                box.close(LONG);
              },
              () -> broker.acknowledge(1, new KafkaException("refused")));
        });
  }

  @Test
  void anErrorOfTheSendingThreadReachesWhoeverWaits() {
    TestingSchedule.explore(
        schedule -> {
          Outbox box = box(new Broker(schedule), 10);
          schedule.all(
              () -> {
                Throwable told =
                    catchThrowable(
                        () -> {
                          box.put(
                              () -> {
                                schedule.step("make");
                                throw new OutOfMemoryError("made");
                              });
                          schedule.step("put");
                          box.flush(LONG);
                        });
                assertThat(told).hasRootCauseInstanceOf(OutOfMemoryError.class);
                box.close(LONG);
              });
        });
  }

  @Test
  void aCloseEndsWhoeverWaits() {
    TestingSchedule.explore(
        schedule -> {
          Broker broker = new Broker(schedule);
          Outbox box = box(broker, 10);
          schedule.all(
              () -> {
                Throwable told = putsTwo(schedule, box);
                assertThat(told)
                    .isInstanceOfAny(FeedbackLostException.class, IllegalStateException.class);
              },
              () -> box.close(Duration.ZERO));
        });
  }
}
