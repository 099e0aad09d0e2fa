package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.client.run.RunInfo;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.service.Patience;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The next release's job, commands and trainers beside this release's: what they write, in schemas
 * that nobody here knows, is on every topic that both write, and runs that began before go on with
 * the trainers of this release, in Java and in Python.
 */
class NextReleaseIT {
  private static final int BATCHES = 30;

  @TempDir private static Path directory;

  private static TestingService service;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    sluice = new TestingSluice(service.kafka, directory);
    ApplyDataset.apply(service.kafka, service.dataset);
    service.fill();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void aTrainerGoesOnThroughWhatTheNextReleaseWrites() throws Exception {
    RunInfo run = service.start(service.velocitune("java", BATCHES));
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      trainer.train(10, 10, NextReleaseIT::loss);
      Set<String> refused = next(run);
      trainer.train(BATCHES, 10, NextReleaseIT::loss);
      Patience.await(
          Duration.ofMinutes(1), NextReleaseIT::refusals, all -> all.containsAll(refused));
    }
    assertThat(sluice.does("audit", "--run", "java")).contains("passed: 480 sequences");
    assertThat(sluice.does("run", "list")).contains("java");
    assertThat(sluice.does("dataset", "list")).contains("data");
  }

  @Test
  void aTrainerInPythonDoes() throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    RunInfo run = service.start(service.velocitune("python", BATCHES));
    assertThat(taken(10)).hasSize(16 * 10);
    next(run);
    assertThat(taken(BATCHES)).hasSize(16 * (BATCHES - 10));
    assertThat(sluice.does("audit", "--run", "python")).contains("passed: 480 sequences");
  }

  /** Goes on from its state up to a batch; a line for each sequence. */
  private static List<String> taken(int last) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--bootstrap", service.kafka.bootstrapServers()));
    arguments.addAll(List.of("--run", "python", "--last", Integer.toString(last)));
    arguments.addAll(List.of("--state", directory.resolve("python.json").toString()));
    return TestingPython.live("taken.py", arguments).lines().toList();
  }

  private static double loss(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }

  /**
   * Writes of each topic that jobs, commands and trainers write the last record again, as the next
   * release would.
   *
   * @return the topics whose reader, the job, has to say that it refuses one
   */
  private static Set<String> next(RunInfo run) throws Exception {
    Topics topics = service.kafka.topics();
    Set<String> answered =
        Set.of(
            RunLogs.of(service.kafka).topic(run.runId()),
            topics.feedback(run.name()),
            topics.supply("data"),
            topics.runs());
    Set<String> all = new TreeSet<>(answered);
    // Others read these, and pass over it.
    all.addAll(List.of(topics.status(), topics.datasets()));
    try (KafkaProducer<byte[], byte[]> producer = service.producer()) {
      for (String topic : all) {
        ConsumerRecord<byte[], byte[]> last = last(topic);
        byte[] value = NextRelease.encode(WireCodec.decode(last.value()));
        // Of a table the row stays: a row of the next release is of a run or dataset of its own.
        byte[] key =
            topic.equals(topics.datasets()) ? "next".getBytes(StandardCharsets.UTF_8) : last.key();
        producer.send(new ProducerRecord<>(topic, last.partition(), key, value)).get();
      }
    }
    return answered;
  }

  /** The newest record of a topic's first partition that this release reads. */
  private static ConsumerRecord<byte[], byte[]> last(String topic) {
    KafkaAccess kafka = service.kafka;
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            kafka.with(Map.of()), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      return Patience.await(
              Patience.MINUTE,
              () -> {
                ConsumerRecord<byte[], byte[]> found = null;
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                  found = isKnown(each.value()) ? each : found;
                }
                return Optional.ofNullable(found);
              },
              Optional::isPresent)
          .orElseThrow();
    }
  }

  private static boolean isKnown(byte @Nullable [] value) {
    try {
      return WireCodec.decode(value) != null;
    } catch (WireFormatException e) {
      return false;
    }
  }

  /** Topics of which records were refused as a newer writer's. */
  private static Set<String> refusals() {
    Set<String> found = new TreeSet<>();
    new TopicScan(service.kafka)
        .read(
            DeadLetter.class,
            service.kafka.topics().deadLetters(),
            letter -> {
              if (letter.getReason().contains("a newer writer?")) {
                found.add(letter.getOrigin());
              }
            });
    return found;
  }
}
