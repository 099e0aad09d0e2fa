package io.sluice.cli.forget.purge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.CheckFailedException;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.TestingTopics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics as jobs write them, in transactions that are committed and aborted, copied by offsets. */
class TopicCopyIT {
  private static final int PARTITIONS = 2;

  @TempDir private static Path directory;
  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
  }

  @AfterAll
  static void stop() throws Exception {
    broker.close();
  }

  /** What a reader sees of a record. */
  private record Seen(
      int partition, long offset, long time, String key, String value, int headers) {
    static Seen of(ConsumerRecord<byte[], byte[]> record, byte[] value) {
      return new Seen(
          record.partition(),
          record.offset(),
          record.timestamp(),
          record.key() == null ? "none" : new String(record.key(), UTF_8),
          new String(value, UTF_8),
          record.headers().toArray().length);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void eachRecordKeepsItsPlaceThoughTheCopyIsKilled(long seed) throws Exception {
    String from = "from-" + seed;
    String to = "to-" + seed;
    Random random = new Random(seed);
    write(from, random);
    try (TopicTwins twins = new TopicTwins(kafka)) {
      twins.make(from, to);
      for (int kill = 0; kill < 3; kill++) {
        int[] left = {1 + random.nextInt(120)};
        try {
          new TopicCopy(kafka, twins).copy(from, to, dyingAfter(left), Map.of(), records -> {});
        } catch (KilledException killed) {
          assertThat(left[0]).isNegative();
        }
      }
      new TopicCopy(kafka, twins).copy(from, to, TopicCopyIT::shouted, Map.of(), records -> {});

      assertThat(seen(to, ConsumerRecord::value)).isEqualTo(seen(from, TopicCopyIT::shouted));
      for (TopicPartition each : twins.partitions(from)) {
        assertThat(twins.end(new TopicPartition(to, each.partition()))).isEqualTo(twins.end(each));
      }
    }
  }

  @Test
  void aCopyThatSomebodyElseWroteToIsMadeAnew() throws Exception {
    write("honest", new Random(7));
    try (TopicTwins twins = new TopicTwins(kafka)) {
      twins.make("honest", "spoiled");
      try (KafkaProducer<byte[], byte[]> other = producer(Map.of())) {
        other.send(new ProducerRecord<>("spoiled", 0, null, new byte[] {1})).get();
      }
      new TopicCopy(kafka, twins)
          .copy("honest", "spoiled", TopicCopy.Change.NONE, Map.of(), records -> {});

      assertThat(seen("spoiled", ConsumerRecord::value))
          .isEqualTo(seen("honest", ConsumerRecord::value));
    }
  }

  @Test
  void whatIsWrittenToWhileItIsCopiedIsNoCopy() throws Exception {
    write("busy", new Random(8));
    try (TopicTwins twins = new TopicTwins(kafka);
        KafkaProducer<byte[], byte[]> other = producer(Map.of())) {
      twins.make("busy", "late");
      TopicCopy.Change writing =
          record -> {
            var unused = other.send(new ProducerRecord<>("late", 1, null, new byte[] {1}));
            other.flush();
            return record.value();
          };

      assertThatThrownBy(
              () -> new TopicCopy(kafka, twins).copy("busy", "late", writing, Map.of(), r -> {}))
          .isInstanceOf(CheckFailedException.class)
          .hasMessageContaining("somebody else writes");
    }
  }

  private static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static TopicCopy.Change dyingAfter(int[] left) {
    return record -> {
      if (left[0]-- <= 0) {
        throw new KilledException();
      }
      return shouted(record);
    };
  }

  private static byte[] shouted(ConsumerRecord<byte[], byte[]> record) {
    String value = new String(record.value(), UTF_8);
    return value.endsWith("7")
        ? value.toUpperCase(java.util.Locale.ROOT).getBytes(UTF_8)
        : record.value();
  }

  private static List<Seen> seen(String topic, TopicCopy.Change value) {
    List<Seen> seen = new ArrayList<>();
    new TopicScan(kafka)
        .read(List.of(topic), record -> seen.add(Seen.of(record, value.apply(record))));
    seen.sort(java.util.Comparator.comparingInt(Seen::partition).thenComparingLong(Seen::offset));
    return seen;
  }

  /** Writes plain records and transactions of some, of which every third is aborted. */
  private static void write(String topic, Random random) throws Exception {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      TestingTopics.make(
          admin,
          List.of(
              new NewTopic(topic, PARTITIONS, (short) 1)
                  .configs(
                      Map.of("message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE)))));
    }
    int number = 0;
    try (KafkaProducer<byte[], byte[]> plain = producer(Map.of());
        KafkaProducer<byte[], byte[]> marked = producer(Map.of("transactional.id", topic))) {
      marked.initTransactions();
      for (int part = 0; part < 30; part++) {
        boolean inTransaction = random.nextInt(3) > 0;
        KafkaProducer<byte[], byte[]> out = inTransaction ? marked : plain;
        if (inTransaction) {
          marked.beginTransaction();
        }
        int records = 1 + random.nextInt(6);
        for (int i = 0; i < records; i++) {
          ProducerRecord<byte[], byte[]> record =
              new ProducerRecord<>(
                  topic,
                  random.nextInt(PARTITIONS),
                  (long) number,
                  number % 2 == 0 ? null : new byte[] {'k'},
                  ("value " + number++).getBytes(UTF_8));
          record.headers().add("h", new byte[] {1});
          out.send(record).get();
        }
        if (inTransaction && random.nextInt(3) == 0) {
          marked.abortTransaction();
        } else if (inTransaction) {
          marked.commitTransaction();
        }
      }
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, ?> own) {
    return new KafkaProducer<>(
        kafka.with(own), new ByteArraySerializer(), new ByteArraySerializer());
  }
}
