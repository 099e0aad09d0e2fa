package io.sluice.jobs.mix.tail;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads parts of many partitions at once.
 *
 * @param nanos a clock that only goes forward
 */
public record PartitionReading(Consumer<byte[], byte[]> consumer, LongSupplier nanos) {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration ASK = Duration.ofSeconds(20);

  /** By the system's clock. */
  public PartitionReading(Consumer<byte[], byte[]> consumer) {
    this(consumer, System::nanoTime);
  }

  /**
   * Hands on the records of each part in order, until one is the last that is wanted of it.
   *
   * @throws TimeoutException if nothing comes for long
   */
  public void read(
      Map<TopicPartition, TopicEnds.Span> parts, Predicate<ConsumerRecord<byte[], byte[]>> last) {
    Map<TopicPartition, TopicEnds.Span> open = new HashMap<>(parts);
    open.values().removeIf(part -> part.from() >= part.to());
    consumer.assign(open.keySet());
    consumer.resume(open.keySet());
    open.forEach((partition, part) -> consumer.seek(partition, part.from()));
    long moved = nanos.getAsLong();
    while (!open.isEmpty()) {
      boolean comes = false;
      for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
        comes = true;
        TopicPartition partition = new TopicPartition(message.topic(), message.partition());
        TopicEnds.Span part = open.get(partition);
        if (part != null && (message.offset() >= part.to() || last.test(message))) {
          open.remove(partition);
        }
      }
      open.entrySet()
          .removeIf(part -> consumer.position(part.getKey(), ASK) >= part.getValue().to());
      if (open.size() < consumer.assignment().size()) {
        consumer.assign(open.keySet());
      }
      if (comes) {
        moved = nanos.getAsLong();
      } else if (nanos.getAsLong() - moved > ASK.toNanos()) {
        throw new TimeoutException("the records of " + open + " do not come");
      }
    }
  }
}
