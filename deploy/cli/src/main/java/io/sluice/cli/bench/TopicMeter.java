package io.sluice.cli.bench;

import io.sluice.cli.error.UnreachableException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Watches from outside how fast a topic grows, whoever writes it: every writer is measured alike.
 */
final class TopicMeter implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
  private static final long PATIENCE_NANOS = Duration.ofMinutes(2).toNanos();

  private final Stage stage;
  private final Admin admin;

  TopicMeter(Stage stage) {
    this.stage = stage;
    this.admin = Admin.create(stage.kafka().with(Map.of()));
  }

  /**
   * What happened while a topic grew from one number of records to another.
   *
   * @param records between the first and the last look
   * @param seconds between them
   * @param cpuSeconds of this process
   * @param brokerCpuSeconds of the broker's
   */
  record Growth(long records, double seconds, double cpuSeconds, double brokerCpuSeconds) {
    double megabytesPerSecond(int recordBytes) {
      return records * (double) recordBytes / seconds / 1e6;
    }

    double cpuMicrosPerRecord() {
      return cpuSeconds * 1e6 / records;
    }

    double brokerCpuMicrosPerRecord() {
      return brokerCpuSeconds * 1e6 / records;
    }
  }

  private record Look(long records, long nanos, long cpuNanos, long brokerCpuNanos) {}

  /**
   * Waits until the topic has grown to {@code to} records.
   *
   * @param from where the measurement begins: what is before counts as warm-up
   * @throws UnreachableException if the topic stops growing
   */
  Growth measure(String topic, int partitions, long from, long to) {
    Look first = await(topic, partitions, from);
    Look last = await(topic, partitions, Math.max(to, first.records() + 1));
    return new Growth(
        last.records() - first.records(),
        (last.nanos() - first.nanos()) / 1e9,
        (last.cpuNanos() - first.cpuNanos()) / 1e9,
        (last.brokerCpuNanos() - first.brokerCpuNanos()) / 1e9);
  }

  private Look await(String topic, int partitions, long records) {
    long grew = System.nanoTime();
    long before = -1;
    while (true) {
      long found = records(topic, partitions);
      long now = System.nanoTime();
      if (found >= records) {
        return new Look(found, now, processCpu(), stage.brokerCpu().toNanos());
      }
      if (found > before) {
        before = found;
        grew = now;
      } else if (now - grew > PATIENCE_NANOS) {
        throw new UnreachableException(
            "topic " + topic + " stands still at " + found + " of " + records + " records");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private long records(String topic, int partitions) {
    Map<TopicPartition, OffsetSpec> asked =
        IntStream.range(0, partitions)
            .boxed()
            .collect(Collectors.toMap(p -> new TopicPartition(topic, p), p -> OffsetSpec.latest()));
    try {
      return admin.listOffsets(asked).all().get(30, TimeUnit.SECONDS).values().stream()
          .mapToLong(info -> info.offset())
          .sum();
    } catch (ExecutionException | TimeoutException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        // Created a moment ago: not every part of the broker knows it yet.
        return 0;
      }
      throw new UnreachableException("cannot ask how far topic " + topic + " is: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while topic " + topic + " was measured", e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
