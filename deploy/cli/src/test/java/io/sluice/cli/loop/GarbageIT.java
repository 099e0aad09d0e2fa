package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.client.run.RunInfo;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Topics;
import io.sluice.service.Patience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that nobody can read on every topic that is read: each is named, none is felt. */
class GarbageIT {
  private static final byte[] GARBAGE = "garbage".getBytes(StandardCharsets.UTF_8);
  private static final String REASON =
      "not Avro single-object encoding: 7 bytes that do not start with C3 01 and a schema"
          + " fingerprint";

  @TempDir private static Path directory;

  private static TestingService service;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    sluice = new TestingSluice(service.kafka, directory);
    ApplyDataset.apply(service.kafka, service.dataset);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void itIsNamedAndFeltByNobody() throws Exception {
    Topics topics = service.kafka.topics();
    service.ingest("large", 2000, false);
    service.ingest("medium", 600, false);
    RunInfo run = service.start(service.velocitune("clean", 30));
    List<String> spoiled =
        List.of(
            topics.corpus("large"),
            topics.supply("data"),
            topics.runs(),
            topics.control(),
            RunLogs.of(service.kafka).topic(run.runId()),
            topics.feedback("clean"));
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      List<String> places = new ArrayList<>();
      for (String topic : spoiled) {
        places.add(topic + "-0@" + spoil(topic, run.runId()));
      }
      spoil(topics.datasets(), "nobody");
      spoil(topics.status(), "nobody");
      service.ingest("small", 600, true);
      trainer.train(30, 10, (step, domain) -> 4 - step * (domain.equals("medium") ? .001 : .02));
      Patience.await(Duration.ofMinutes(1), GarbageIT::refused, found -> found.containsAll(places));
    }
    assertThat(sluice.does("run", "list")).contains("clean");
    assertThat(sluice.does("run", "show", "clean")).contains("clean");
    assertThat(sluice.does("dataset", "list")).contains("data");
    assertThat(sluice.does("audit", "--run", "clean")).contains("passed: 480 sequences");
    Path text = Files.writeString(directory.resolve("more.jsonl"), "{\"text\": \"more\"}\n");
    assertThat(sluice.does("ingest", "--domain", "large", text.toString())).contains("1 document");
  }

  /** Writes garbage and a record without a value, and returns the first one's offset. */
  private static long spoil(String topic, String key) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = service.producer()) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      long offset = producer.send(new ProducerRecord<>(topic, 0, bytes, GARBAGE)).get().offset();
      producer.send(new ProducerRecord<>(topic, 0, new byte[] {2}, null)).get();
      return offset;
    }
  }

  /** Where records were refused for what they are. */
  private static List<String> refused() {
    List<String> found = new ArrayList<>();
    new TopicScan(service.kafka)
        .read(
            DeadLetter.class,
            service.kafka.topics().deadLetters(),
            letter -> {
              if (letter.getReason().equals(REASON)) {
                found.add(
                    letter.getOrigin() + "-" + letter.getPartition() + "@" + letter.getPosition());
              }
            });
    return found;
  }
}
