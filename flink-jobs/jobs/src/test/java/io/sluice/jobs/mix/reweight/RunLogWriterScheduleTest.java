package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.TestingSchedule;
import io.sluice.schema.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.junit.jupiter.api.Test;

final class RunLogWriterScheduleTest {
  /** A broker and its producer with a step at each request; looks may be in vain a few times. */
  private static final class Logs extends MockProducer<byte[], byte[]> implements LogTopics {
    private final TestingSchedule schedule;
    private final AtomicInteger missing;
    private final List<Integer> sent = Collections.synchronizedList(new ArrayList<>());
    private boolean breaks;

    Logs(TestingSchedule schedule, int missing) {
      this.schedule = schedule;
      this.missing = new AtomicInteger(missing);
    }

    @Override
    public Set<String> present(Collection<String> topics) {
      schedule.step("look");
      if (breaks) {
        breaks = false;
        throw new OutOfMemoryError("buffers");
      }
      return missing.getAndDecrement() > 0 ? Set.of() : Set.copyOf(topics);
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
      schedule.step("found");
      return List.of();
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      schedule.step("send");
      sent.add(Integer.valueOf(new String(record.value(), StandardCharsets.UTF_8)));
      return new CompletableFuture<>();
    }

    @Override
    public void close() {
      close(Duration.ZERO);
    }

    @Override
    public void close(Duration timeout) {
      schedule.step("close");
    }
  }

  private static void write(RunLogWriter writer, int entry) {
    byte[] value = Integer.toString(entry).getBytes(StandardCharsets.UTF_8);
    writer.write(new KeyedRecord("a.1", value), RunLogWriterTest.NONE);
  }

  @Test
  void noEntryOvertakesAnotherAndTheNewestIsSentWheneverTheLogIsFound() {
    TestingSchedule.explore(
        schedule -> {
          Logs logs = new Logs(schedule, 2);
          RunLogWriter writer = new RunLogWriter(Topics.standard(), logs, logs, Duration.ZERO);
          schedule.all(
              () -> {
                for (int entry = 0; entry < 5; entry++) {
                  write(writer, entry);
                  schedule.step("written");
                }
                while (!logs.sent.contains(4)) {
                  schedule.step("await");
                }
                writer.close();
              });
          List<Integer> sent = List.copyOf(logs.sent);
          assertThat(sent).isSorted().doesNotHaveDuplicates();
          assertThat(IntStream.range(0, 5).boxed().toList()).containsAll(sent);
        });
  }

  @Test
  void anErrorWhileALogIsLookedForLeavesOutOneEntryAndNotTheRun() {
    TestingSchedule.explore(
        schedule -> {
          Logs logs = new Logs(schedule, 0);
          RunLogWriter writer = new RunLogWriter(Topics.standard(), logs, logs, Duration.ZERO);
          logs.breaks = true;
          schedule.all(
              () -> {
                for (int entry = 0; !logs.sent.contains(entry - 1); entry++) {
                  write(writer, entry);
                  schedule.step("written");
                  schedule.step("await");
                }
                writer.close();
              });
        });
  }
}
