package io.sluice.jobs.mix.rest;

import io.sluice.schema.RunCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Partitions in memory, of which the last record of each counts. Counts what is read. */
final class TestingRestBrokers implements RestBrokers {
  final Map<TopicPartition, Long> ends = new HashMap<>();
  final Map<TopicPartition, Long> kept = new HashMap<>();
  final Map<TopicPartition, byte[]> last = new HashMap<>();
  final List<RunCommand> commands = new ArrayList<>();
  final List<TopicPartition> read = new ArrayList<>();
  int asked;

  @Override
  public Set<String> topics() {
    asked++;
    return ends.keySet().stream()
        .map(TopicPartition::topic)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> some = new HashMap<>(ends);
    some.keySet().retainAll(Set.copyOf(partitions));
    return some;
  }

  @Override
  public Map<TopicPartition, Long> kept(Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> some = new HashMap<>(kept);
    some.keySet().retainAll(Set.copyOf(partitions));
    return some;
  }

  @Override
  public void commands(Consumer<RunCommand> reader) {
    commands.forEach(reader);
  }

  @Override
  public void read(
      Map<TopicPartition, Long> offsets, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    offsets.forEach(
        (partition, offset) -> {
          read.add(partition);
          byte[] value = last.get(partition);
          reader.accept(
              new ConsumerRecord<>(
                  partition.topic(), partition.partition(), offset, new byte[0], value));
        });
  }

  @Override
  public void close() {
    read.clear();
  }
}
