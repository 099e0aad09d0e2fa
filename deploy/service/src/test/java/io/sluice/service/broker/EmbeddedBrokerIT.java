package io.sluice.service.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.service.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
  private static final TopicPartition PARTITION = new TopicPartition("ordinals", 0);

  @TempDir Path directory;

  @Test
  void onlyCommittedRecordsAreRead() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE)) {
      createTopic(broker);
      produceCommitted(broker, 0, 5);
      produceAborted(broker);
      produceCommitted(broker, 5, 8);

      assertThat(read(broker, 8)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }
  }

  @Test
  void transactionsStayWholeWhenTheirProducerIsFenced() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      assertThat(
              admin
                  .describeFeatures()
                  .featureMetadata()
                  .get()
                  .finalizedFeatures()
                  .get("transaction.version")
                  .maxVersionLevel())
          .isGreaterThanOrEqualTo((short) 2);
    }
  }

  @Test
  void recordsAreFoundByTheirTimestampUnlessTransactionMarkersAreAmongThem() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE)) {
      createTopic(broker);
      produce(broker, 0, 8);
      assertThat(timestampAtOrAfter(broker, 0)).isEqualTo(0);
      assertThat(timestampAtOrAfter(broker, 6)).isEqualTo(6);

      produceCommitted(broker, 8, 10);
      produceCommitted(broker, 10, 12);
      // A commit marker carries the wall clock, so a later ordinal is found at the first marker.
      assertThat(timestampAtOrAfter(broker, 11)).isGreaterThan(1_000_000);
    }
  }

  @Test
  void recordsOutliveAStopAndACrash() throws Exception {
    int port;
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE)) {
      port = broker.port();
      createTopic(broker);
      produceCommitted(broker, 0, 2);
    }
    EmbeddedBroker second = EmbeddedBroker.start(directory, port, Patience.MINUTE);
    produceCommitted(second, 2, 4);
    second.kill();
    assertThat(second.isAlive()).isFalse();
    try (EmbeddedBroker third = EmbeddedBroker.start(directory, port, Patience.MINUTE)) {
      assertThat(third.port()).isEqualTo(port);
      assertThat(read(third, 4)).containsExactly(0L, 1L, 2L, 3L);
    }
  }

  @Test
  void aPortThatIsInUseIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getAllByName("127.0.0.1")[0])) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> EmbeddedBroker.start(directory, port, Patience.MINUTE))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("port " + port + " cannot be used");
    }
  }

  @Test
  void aPlaceThatIsNoDirectoryIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThatThrownBy(() -> EmbeddedBroker.start(file, 0, Patience.MINUTE))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("state directory")
        .hasMessageContaining(file.toString());
  }

  @Test
  void aBrokerThatCannotStartQuotesItsLog() throws IOException {
    Path log = Files.createDirectories(directory.resolve("log"));
    Files.writeString(log.resolve("meta.properties"), "version=1\nnode.id=7\ncluster.id=other\n");
    assertThatThrownBy(() -> EmbeddedBroker.start(directory, 0, Patience.MINUTE))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("ended while it started")
        .hasMessageContaining("broker.log")
        .hasMessageContaining("Stored node id 7 doesn't match");
  }

  private static void createTopic(EmbeddedBroker broker) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      TestingTopics.make(admin, List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)));
    }
  }

  private static void produce(EmbeddedBroker broker, long from, long to) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (long ordinal = from; ordinal < to; ordinal++) {
        var unused =
            producer.send(new ProducerRecord<>(PARTITION.topic(), 0, ordinal, null, new byte[100]));
      }
    }
  }

  private static void produceCommitted(EmbeddedBroker broker, long from, long to) {
    try (KafkaProducer<byte[], byte[]> producer = producer(broker)) {
      producer.beginTransaction();
      for (long ordinal = from; ordinal < to; ordinal++) {
        var unused =
            producer.send(new ProducerRecord<>(PARTITION.topic(), 0, ordinal, null, new byte[100]));
      }
      producer.commitTransaction();
    }
  }

  private static void produceAborted(EmbeddedBroker broker) {
    try (KafkaProducer<byte[], byte[]> producer = producer(broker)) {
      producer.beginTransaction();
      var unused =
          producer.send(new ProducerRecord<>(PARTITION.topic(), 0, 77L, null, new byte[100]));
      producer.flush();
      producer.abortTransaction();
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(EmbeddedBroker broker) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "test"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static List<Long> read(EmbeddedBroker broker, int count) {
    List<Long> ordinals = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(broker)) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      Patience.await(
          Duration.ofMinutes(1),
          () -> {
            consumer
                .poll(Duration.ofMillis(200))
                .forEach(record -> ordinals.add(record.timestamp()));
            return ordinals.size() >= count;
          });
    }
    return ordinals;
  }

  private static long timestampAtOrAfter(EmbeddedBroker broker, long ordinal) {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(broker)) {
      return consumer.offsetsForTimes(Map.of(PARTITION, ordinal)).get(PARTITION).timestamp();
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(EmbeddedBroker broker) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
