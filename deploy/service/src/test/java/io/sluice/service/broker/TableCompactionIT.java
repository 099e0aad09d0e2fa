package io.sluice.service.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables forget what is replaced, also those that an earlier release has made. */
class TableCompactionIT {
  private static final String STATUS = "sluice.status";
  private static final String SUPPLY = "sluice.supply.d";

  /** Closes a segment so soon; it is somebody's own setting of the topic. */
  private static final Map<String, String> SOON =
      Map.of("cleanup.policy", "compact", "segment.ms", "50");

  @TempDir Path directory;

  @Test
  void whatIsReplacedInATableIsGone() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(earlier(STATUS), earlier(SUPPLY))).all().get();
      cleanAllTheTime(admin);
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      try (TopicAdmin topics = new TopicAdmin(kafka)) {
        topics.ensureService();
        topics.ensureDataset(
            DatasetSpecs.resolve(
                new DatasetSettings("d", "bytes", 16, 4, 7, 0, List.of("wiki"), 1)));
      }
      for (String table : List.of(STATUS, SUPPLY)) {
        assertThat(setting(admin, table, "segment.ms")).isEqualTo("50");
        assertThat(setting(admin, table, "max.compaction.lag.ms")).isEqualTo("600000");
      }
      assertThat(setting(admin, "sluice.streams", "segment.ms")).isEqualTo("60000");
      assertThat(setting(admin, "sluice.runs", "segment.bytes"))
          .isEqualTo(Integer.toString(1 << 30));

      awaitFirstGone(kafka, STATUS, Map.of());
      awaitFirstGone(kafka, SUPPLY, Map.of("transactional.id", "prepare"));
    }
  }

  private static NewTopic earlier(String table) {
    return new NewTopic(table, 1, (short) 1).configs(SOON);
  }

  private static void cleanAllTheTime(Admin admin) throws Exception {
    ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");
    AlterConfigOp often =
        new AlterConfigOp(new ConfigEntry("log.cleaner.backoff.ms", "100"), OpType.SET);
    admin.incrementalAlterConfigs(Map.of(all, List.of(often))).all().get();
  }

  private static String setting(Admin admin, String topic, String key) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Config configs = admin.describeConfigs(List.of(resource)).all().get().get(resource);
    return configs.get(key).value();
  }

  /** Replaces a key again and again until the first records are gone; another key stays. */
  private static void awaitFirstGone(KafkaAccess kafka, String table, Map<String, Object> settings)
      throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(settings), new ByteArraySerializer(), new ByteArraySerializer())) {
      boolean transactions = !settings.isEmpty();
      if (transactions) {
        producer.initTransactions();
      }
      write(producer, transactions, table, "other", 1);
      long[] written = {0};
      Patience.await(
          Duration.ofMinutes(2),
          () -> {
            write(producer, transactions, table, "wiki/0", ++written[0]);
            return written[0] > 10 && firstOf(kafka, table, "wiki/0") > 1;
          });
      assertThat(firstOf(kafka, table, "other")).isEqualTo(1);
    }
  }

  /**
   * Its timestamp is a position, as in the supply; only the markers of transactions have a clock.
   */
  private static void write(
      KafkaProducer<byte[], byte[]> producer,
      boolean transactions,
      String table,
      String key,
      long position) {
    if (transactions) {
      producer.beginTransaction();
    }
    Long timestamp = transactions ? position : null;
    byte[] value = Long.toString(position).getBytes(StandardCharsets.UTF_8);
    var unused =
        producer.send(
            new ProducerRecord<>(table, 0, timestamp, key.getBytes(StandardCharsets.UTF_8), value));
    producer.flush();
    if (transactions) {
      producer.commitTransaction();
    }
  }

  /** What the first record of the key in the table says. */
  private static long firstOf(KafkaAccess kafka, String table, String key) {
    TopicPartition partition = new TopicPartition(table, 0);
    Map<String, Long> first = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            kafka.with(Map.of("isolation.level", "read_committed")),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (!first.containsKey(key)) {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
          first.putIfAbsent(
              new String(each.key(), StandardCharsets.UTF_8),
              Long.parseLong(new String(each.value(), StandardCharsets.UTF_8)));
        }
      }
    }
    return first.get(key);
  }
}
