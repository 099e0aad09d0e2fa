package io.sluice.lab.bench.measure;

import io.sluice.jobs.mix.stream.StreamSinkSettings;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/**
 * Topics that the plain copies write, and the settings of their producers: those of the streams.
 */
public final class CopyTargets {
  private CopyTargets() {}

  /** Creates a topic of the given name. */
  public static void create(KafkaAccess kafka, String topic, int partitions) {
    NewTopics.create(kafka, List.of(new NewTopic(topic, partitions, (short) 1)));
  }

  /** All partitions of a topic that has so many. */
  public static List<TopicPartition> partitions(String topic, int partitions) {
    return IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
  }

  /** Deletes a topic; what is left of it is deleted with the directory. */
  public static void delete(KafkaAccess kafka, String topic) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      admin.deleteTopics(List.of(topic));
      admin.close(Duration.ofSeconds(10));
    }
  }

  /** Settings of a producer that has what the stream's has. */
  public static Properties producer(KafkaAccess kafka) {
    StreamSinkSettings stream = StreamSinkSettings.defaults();
    Map<String, Object> own = new HashMap<>();
    own.put("acks", "all");
    own.put("enable.idempotence", "true");
    own.put("linger.ms", Long.toString(stream.linger().toMillis()));
    own.put("batch.size", Integer.toString(stream.batchBytes()));
    own.put("buffer.memory", Long.toString(stream.bufferBytes()));
    own.put("max.request.size", Integer.toString(stream.maxRequestBytes()));
    return kafka.with(own);
  }
}
