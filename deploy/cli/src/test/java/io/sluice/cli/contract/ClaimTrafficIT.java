package io.sluice.cli.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.trainer.WrittenStream;
import io.sluice.client.claim.KafkaClaimLog;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** What one of 256 ranks reads of a round on 4,096 domains to know that it has its rank. */
class ClaimTrafficIT {
  private static final int RANKS = 256;
  private static final int DOMAINS = 4096;

  @TempDir private static Path directory;

  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  /** What was read, until there was no more. */
  private record Read(int records, long bytes) {}

  @Test
  void isTheClaimsOfTheOthersAndNothingOfTheRound(TestReporter reporter) {
    WrittenStream run = WrittenStream.create(kafka, "wide", 32, 8);
    Read read = readByOne(run, Topics.CLAIMS, RANKS - 1);
    reporter.publishEntry("claims of their own", read.toString());
    assertThat(read.records()).isEqualTo(RANKS - 1);
    assertThat(read.bytes()).isLessThan(RANKS * 200L);
  }

  @Test
  void isTheWholeRoundWhereAnEarlierReleaseMadeTheTopics(TestReporter reporter) throws Exception {
    WrittenStream run =
        WrittenStream.create(kafka, "before", 32, 8).withFeedbackOfAnEarlierRelease();
    Read read = readByOne(run, 0, RANKS - 1 + RANKS);
    reporter.publishEntry("claims among the reports", read.toString());
    assertThat(read.records()).isEqualTo(RANKS - 1 + RANKS);
    assertThat(read.bytes()).isGreaterThan(RANKS * DOMAINS * 15L);
  }

  /** Rank 0 takes its rank; then the others take theirs, and all of them report. */
  private static Read readByOne(WrittenStream run, int claims, int expected) {
    List<byte[]> read = new ArrayList<>();
    try (KafkaClaimLog log = new KafkaClaimLog(kafka, run.run())) {
      log.publish(claim(run, 0));
      send(run, claims);
      Patience.await(
          Duration.ofMinutes(1),
          () -> {
            log.readOn(read::add);
            return read.size();
          },
          size -> size >= expected);
      log.readOn(read::add);
    }
    return new Read(read.size(), read.stream().mapToLong(each -> each.length).sum());
  }

  private static void send(WrittenStream run, int claims) {
    String topic = kafka.topics().feedback(run.run().name());
    byte[] key = run.run().runId().getBytes(StandardCharsets.UTF_8);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            kafka.with(Map.of("acks", "all")),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int rank = 1; rank < RANKS; rank++) {
        var unused = producer.send(new ProducerRecord<>(topic, claims, key, claim(run, rank)));
      }
      for (int rank = 0; rank < RANKS; rank++) {
        var unused = producer.send(new ProducerRecord<>(topic, 0, key, report(run, rank)));
      }
      producer.flush();
    }
  }

  private static byte[] claim(WrittenStream run, int rank) {
    return WireCodec.encode(
        new TrainerAttached(
            run.run().runId(),
            0,
            0L,
            RANKS,
            rank,
            0,
            "0b7e4ad6-2a6f-4c2f-9b10-7f1a0d9a6c11",
            "trainer-" + rank,
            1L,
            List.of("eval_loss"),
            1L));
  }

  private static byte[] report(WrittenStream run, int rank) {
    List<DomainMeasure> entries = new ArrayList<>();
    for (int domain = 0; domain < DOMAINS; domain++) {
      entries.add(new DomainMeasure("d" + domain, 3.5 * domain, 1000L));
    }
    return WireCodec.encode(
        new TrainerFeedback(
            run.run().runId(), 0, 4L, 4L, "step-4", RANKS, rank, "eval_loss", entries, 1L));
  }
}
