package io.sluice.lab.bench.measure;

import io.sluice.control.error.UnreachableException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Watches from outside how fast topics grow, whoever writes them: all are measured alike. */
public final class TopicMeter implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Stage stage;
  private final Admin admin;

  public TopicMeter(Stage stage) {
    this.stage = stage;
    this.admin = Admin.create(stage.kafka().with(Map.of()));
  }

  /**
   * What happened while topics grew from one number of records to another.
   *
   * @param records between the first and the last look
   * @param seconds between them
   * @param cpuNanos of this process's threads
   * @param allocated bytes of objects that they made
   * @param brokerCpuNanos of the broker's process
   * @param liveHeap bytes in use after a collection at the first look
   */
  public record Growth(
      long records,
      double seconds,
      long cpuNanos,
      long allocated,
      long brokerCpuNanos,
      long liveHeap) {
    public double perSecond() {
      return records / seconds;
    }

    public double megabytesPerSecond(double recordBytes) {
      return perSecond() * recordBytes / 1e6;
    }

    public double cpuMicrosPerRecord() {
      return cpuNanos / 1e3 / records;
    }

    public double brokerCpuMicrosPerRecord() {
      return brokerCpuNanos / 1e3 / records;
    }

    public double allocatedPerRecord() {
      return (double) allocated / records;
    }

    public double liveHeapMib() {
      return liveHeap / (double) (1 << 20);
    }
  }

  /**
   * Waits until the topics have grown to {@code to} records. When they have before the first look,
   * all that came since the call is what is measured.
   *
   * @param from where the measurement begins: what is before counts as warm-up
   * @throws UnreachableException if they stop growing
   */
  public Growth measure(Collection<TopicPartition> partitions, long from, long to) {
    long nanos = System.nanoTime();
    Usage usage = Usage.now();
    long broker = stage.brokerCpu().toNanos();
    awaitRecords(partitions, from);
    long liveHeap = Usage.liveHeap();
    long first = records(partitions);
    if (first < to) {
      nanos = System.nanoTime();
      usage = Usage.now();
      broker = stage.brokerCpu().toNanos();
    } else {
      first = 0;
    }
    long last = awaitRecords(partitions, to);
    long end = System.nanoTime();
    Usage used = Usage.now();
    return new Growth(
        last - first,
        (end - nanos) / 1e9,
        used.cpuNanosSince(usage),
        used.bytesSince(usage),
        stage.brokerCpu().toNanos() - broker,
        liveHeap);
  }

  /**
   * Waits until there are so many records.
   *
   * @return how many there are then
   */
  public long awaitRecords(Collection<TopicPartition> partitions, long records) {
    return await(
        "topic " + partitions.iterator().next().topic() + ", records",
        () -> records(partitions),
        records);
  }

  /**
   * Waits until something that is looked at again and again has grown so far.
   *
   * @return how far it is then
   * @throws UnreachableException if it stops growing
   */
  public static long await(String what, LongSupplier looked, long to) {
    long grew = System.nanoTime();
    long before = -1;
    while (true) {
      long found = looked.getAsLong();
      long now = System.nanoTime();
      if (found >= to) {
        return found;
      }
      if (found > before) {
        before = found;
        grew = now;
      } else if (now - grew > PATIENCE.toNanos()) {
        throw new UnreachableException(what + ": stands still at " + found + " of " + to);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private long records(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> asked =
        partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
    try {
      return admin.listOffsets(asked).all().get(30, TimeUnit.SECONDS).values().stream()
          .mapToLong(info -> info.offset())
          .sum();
    } catch (ExecutionException | TimeoutException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        // Created a moment ago: not every part of the broker knows it yet.
        return 0;
      }
      throw new UnreachableException("cannot ask how far " + asked.keySet() + " are: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while topics were measured", e);
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
