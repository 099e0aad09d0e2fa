package io.sluice.jobs.mix.rest;

import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.RunCommand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Partitions in memory, of whose records some count. Counts what is read. */
final class TestingRestBrokers implements RestBrokers {
  final Map<TopicPartition, Long> ends = new HashMap<>();
  final Map<TopicPartition, Long> kept = new HashMap<>();
  final Map<TopicPartition, NavigableMap<Long, byte[]>> records = new HashMap<>();
  final Map<String, LogBeginning> newest = new HashMap<>();
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
  public void keep(Map<TopicPartition, Long> offsets) {
    kept.putAll(offsets);
  }

  @Override
  public void commands(ObjLongConsumer<RunCommand> reader) {
    for (int offset = 0; offset < commands.size(); offset++) {
      reader.accept(commands.get(offset), offset);
    }
  }

  @Override
  public void read(
      Map<TopicPartition, Span> parts, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    parts.forEach(
        (partition, part) ->
            records
                .get(partition)
                .subMap(part.from(), part.to())
                .forEach(
                    (offset, value) -> {
                      read.add(partition);
                      reader.accept(
                          new ConsumerRecord<>(
                              partition.topic(), partition.partition(), offset, null, value));
                    }));
  }

  @Override
  public Map<String, LogBeginning> newest(Collection<String> runIds) {
    Map<String, LogBeginning> some = new HashMap<>(newest);
    some.keySet().retainAll(runIds);
    return some;
  }

  @Override
  public void close() {
    read.clear();
  }
}
