package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.trainer.WrittenStream;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopicScanIT {
  @TempDir private Path directory;

  @Test
  void readsUpToTheEndsThatWereTakenBefore() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE)) {
      KafkaAccess access = KafkaAccess.local(broker.bootstrapServers());
      try (TopicAdmin admin = new TopicAdmin(access)) {
        admin.ensureService();
      }
      List<String> control = List.of(access.topics().control());
      TopicScan scan = new TopicScan(access);
      write(access, 0, 1);
      Map<TopicPartition, Long> ends = scan.ends(control);
      write(access, 2, 3);
      List<Integer> before = new ArrayList<>();
      assertThat(scan.read(ends, message -> before.add((int) message.value()[0]))).isEqualTo(2);
      assertThat(before).containsExactly(0, 1);
      assertThat(scan.read(control, message -> {})).isEqualTo(4);
      assertThatThrownBy(() -> scan.ends(List.of("nowhere")))
          .isInstanceOf(BadInputException.class)
          .hasMessage("topic does not exist: nowhere");
    }
  }

  @Test
  void passesOverWhatIsRemovedWhileItReads() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE)) {
      KafkaAccess access = KafkaAccess.local(broker.bootstrapServers());
      WrittenStream.create(access, "large", 1 << 16, 8).write(20);
      String topic = access.topics().stream("large");
      TopicScan scan = new TopicScan(access);
      Map<Integer, List<Long>> offsets = new TreeMap<>();
      scan.read(
          List.of(topic),
          message -> {
            if (offsets.isEmpty()) {
              delete(access, new TopicPartition(topic, 1), 35);
              delete(access, new TopicPartition(topic, 2), 40);
            }
            offsets
                .computeIfAbsent(message.partition(), p -> new ArrayList<>())
                .add(message.offset());
          });
      assertThat(offsets.get(0))
          .containsExactlyElementsOf(LongStream.range(0, 40).boxed().toList());
      assertThat(offsets.get(1)).endsWith(35L, 36L, 37L, 38L, 39L).doesNotContain(34L).isSorted();
      assertThat(offsets.getOrDefault(2, List.of())).doesNotContain(39L).isSorted();
    }
  }

  private static void delete(KafkaAccess access, TopicPartition partition, long before) {
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(before))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static void write(KafkaAccess access, int... values) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int value : values) {
        byte[] bytes = {(byte) value};
        producer.send(new ProducerRecord<>(access.topics().control(), 0, null, bytes)).get();
      }
    }
  }
}
