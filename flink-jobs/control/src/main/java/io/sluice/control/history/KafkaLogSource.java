package io.sluice.control.history;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.LogBeginnings;
import io.sluice.schema.TopicHeads;
import io.sluice.schema.TopicReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Records of control logs in Kafka. */
record KafkaLogSource(KafkaAccess access) implements LogSource {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Override
  public Set<String> topics(String prefix) {
    try (TopicHeads heads = TopicHeads.of(access)) {
      return heads.topics(prefix, PATIENCE);
    }
  }

  @Override
  public boolean exists(String topic) {
    try (TopicReader reader = TopicReader.committed(access)) {
      return !reader.partitions(topic, PATIENCE).isEmpty();
    }
  }

  @Override
  public void heads(Collection<String> topics, Predicate<ConsumerRecord<byte[], byte[]>> found) {
    try (TopicHeads heads = TopicHeads.of(access)) {
      heads.read(topics, PATIENCE, found);
    }
  }

  @Override
  public void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    new TopicScan(access).read(List.of(topic), reader);
  }

  @Override
  public void readFrom(String topic, long offset, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
    TopicPartition log = new TopicPartition(topic, 0);
    var consumer = TopicReader.consumer(access, Map.of("isolation.level", "read_committed"));
    consumer.assign(List.of(log));
    consumer.seek(log, offset);
    try (TopicReader records = new TopicReader(access, consumer)) {
      records.catchUp(topic, PATIENCE, reader::accept);
    }
  }

  @Override
  public Optional<LogBeginning> before(String runId, long batch) {
    try (LogBeginnings beginnings = LogBeginnings.of(access)) {
      return beginnings.before(runId, batch, PATIENCE);
    }
  }
}
