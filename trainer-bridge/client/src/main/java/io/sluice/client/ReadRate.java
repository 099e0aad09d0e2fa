package io.sluice.client;

import io.sluice.schema.KafkaAccess;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * How fast a run's stream comes in: as ready batches, and for comparison with a consumer that only
 * counts the same bytes.
 *
 * @param sequences that were read
 * @param tokens labels of those sequences
 * @param bytes of their records' values
 * @param time from the first one asked for to the last one there
 * @param cpu time of the threads that read
 */
public record ReadRate(long sequences, long tokens, long bytes, Duration time, Duration cpu) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int MIN_BUFFER = 1 << 20;

  /** Labels for each second that passed. */
  public double tokensPerSecond() {
    return tokens / (time.toNanos() / 1e9);
  }

  /** Labels for each second of processor time: what one core would read. */
  public double tokensPerCoreSecond() {
    return tokens / (cpu.toNanos() / 1e9);
  }

  /**
   * Reads a run's first batches as a trainer does, each into one direct buffer.
   *
   * @param options whose rank reads; one that only looks takes the rank from no trainer
   * @param batches how many, which must be in the stream
   */
  public static ReadRate ofBatches(
      KafkaAccess access, RunInfo run, StreamOptions options, long batches) {
    try (TrainerStream stream = TrainerStream.open(access, run, options.observing())) {
      long began = System.nanoTime();
      long cpuBefore = ownCpu();
      long sequences = 0;
      long bytes = 0;
      ByteBuffer target = ByteBuffer.allocateDirect(MIN_BUFFER);
      for (long i = 0; i < batches; i++) {
        GlobalBatch batch = stream.next(PATIENCE);
        if (target.capacity() < batch.tokenBytes()) {
          target = ByteBuffer.allocateDirect(batch.tokenBytes());
        }
        batch.writeTokens(target.clear());
        sequences += batch.sequences().size();
        bytes += batch.sequences().stream().mapToLong(Sequence::encodedBytes).sum();
      }
      Duration time = Duration.ofNanos(System.nanoTime() - began);
      Duration cpu = Duration.ofNanos(ownCpu() - cpuBefore + stream.fetchCpuNanos());
      return new ReadRate(sequences, labels(run, sequences), bytes, time, cpu);
    }
  }

  /**
   * Reads records of a run's stream and only counts them: what Kafka's own consumer gives.
   *
   * @param sequences at least so many, which must be in the stream
   */
  public static ReadRate ofConsumer(KafkaAccess access, RunInfo run, long sequences) {
    String topic = access.topics().stream(run.name());
    List<TopicPartition> partitions =
        IntStream.range(0, run.spec().getStreamPartitions())
            .mapToObj(p -> new TopicPartition(topic, p))
            .toList();
    try (Consumer<byte[], byte[]> consumer =
        LogReader.consumer(access, Map.copyOf(TrainerStream.FETCH_SETTINGS))) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long began = System.nanoTime();
      long cpuBefore = ownCpu();
      long read = 0;
      long bytes = 0;
      while (read < sequences) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          read++;
          bytes += message.value().length;
        }
      }
      Duration time = Duration.ofNanos(System.nanoTime() - began);
      return new ReadRate(
          read, labels(run, read), bytes, time, Duration.ofNanos(ownCpu() - cpuBefore));
    }
  }

  private static long labels(RunInfo run, long sequences) {
    return sequences * run.spec().getSequenceLength();
  }

  private static long ownCpu() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
  }
}
