package io.sluice.cli.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.cli.loop.Testbed;
import io.sluice.control.rights.Role;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.SecuredBroker;
import io.sluice.service.broker.TestingTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who holds how much of a broker's disk. */
class StorageIT {
  @TempDir private Path directory;

  @Test
  void bytesAreThoseOfTheBrokersFilesAndOrphansAreSeen() throws Exception {
    Path logs = directory.resolve("broker");
    try (EmbeddedBroker broker = EmbeddedBroker.start(logs, 0, Patience.MINUTE)) {
      KafkaAccess access = KafkaAccess.local(broker.bootstrapServers());
      Testbed bed = new Testbed(access);
      try (TopicAdmin admin = new TopicAdmin(access)) {
        admin.ensureService();
        admin.ensureDataset(bed.dataset);
      }
      new DatasetCatalog(access).publish(bed.dataset);
      bed.fill();
      Topics below = new Topics("sluice.team.");
      try (Admin admin = Admin.create(access.with(Map.of()))) {
        TestingTopics.make(
            admin,
            Stream.of("sluice.blocks.gone.large", "elsewhere", below.datasets(), below.runs())
                .map(name -> new NewTopic(name, 2, (short) 1))
                .toList());
      }
      write(access, "sluice.blocks.gone.large", 100);
      write(access, "elsewhere", 100);
      JsonNode storage = new TestingSluice(access, directory).json("storage", "--json", "-");
      Map<String, Long> said = new TreeMap<>();
      for (JsonNode holder : storage.get("holders")) {
        for (JsonNode topic : holder.get("topics")) {
          said.put(topic.get("topic").asText(), topic.get("bytes").asLong());
        }
      }
      assertThat(said).isEqualTo(files(logs)).doesNotContainKey("elsewhere");
      assertThat(said.get("sluice.corpus.large")).isPositive();
      assertThat(storage.get("bytes").asLong())
          .isEqualTo(said.values().stream().mapToLong(Long::longValue).sum());
      assertThat(names(storage, "dataset")).containsExactly("data");
      assertThat(names(storage, "domain")).containsExactly("large", "medium", "small");
      assertThat(names(storage, "deployment")).containsExactly("sluice.team.");
      assertThat(storage.get("holders").findValuesAsText("kind"))
          .endsWith("service", "deployment", "nobody");
      String text = new TestingSluice(access, directory).does("storage", "--topics");
      assertThat(text)
          .contains("| dataset data", "|   sluice.blocks.gone.large", "what is nobody's: '");
    }
  }

  private static List<String> names(JsonNode storage, String kind) {
    List<String> names = new ArrayList<>();
    for (JsonNode holder : storage.get("holders")) {
      if (holder.get("kind").asText().equals(kind)) {
        names.add(holder.get("name").asText());
      }
    }
    return names;
  }

  private static void write(KafkaAccess access, String topic, int records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < records; i++) {
        var unused = producer.send(new ProducerRecord<>(topic, new byte[100]));
      }
    }
  }

  /** Bytes of the broker's log files, by topic under the prefix. */
  private static Map<String, Long> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(".log"))
          .filter(file -> folderName(file).matches("sluice\\..*-\\d+"))
          .collect(
              Collectors.groupingBy(
                  file -> folderName(file).replaceFirst("-\\d+$", ""),
                  TreeMap::new,
                  Collectors.summingLong(StorageIT::size)));
    }
  }

  private static String folderName(Path file) {
    return file.getParent().getFileName().toString();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whoMayNotDescribeTheClusterIsToldSo() throws IOException {
    try (SecuredBroker broker = new SecuredBroker(directory.resolve("secured"), "nobody.")) {
      try (TopicAdmin admin = new TopicAdmin(KafkaAccess.local(broker.inside()))) {
        admin.ensureService();
      }
      Path settings = broker.admit("operator", new Role.Operator().rights(Topics.standard()));
      Said said = new TestingSluice(broker.bootstrapServers(), settings, directory).run("storage");
      assertThat(said.exit()).isEqualTo(3);
      assertThat(said.err()).contains("for who may Describe the Cluster");
    }
  }
}
