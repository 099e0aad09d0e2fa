package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.StreamHeader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that somebody tampered with: the audit must say what is wrong with each. */
class AuditIT {
  private static final String RUN = "tampered";

  @TempDir private static Path directory;

  private static TestingService service;
  private static RunInfo run;
  private static final List<ConsumerRecord<byte[], byte[]>> clean = new ArrayList<>();

  @BeforeAll
  static void write() {
    service = new TestingService(directory);
    service.ingest("large", 300, true);
    service.ingest("medium", 300, true);
    service.ingest("small", 300, true);
    run = service.start(service.fixed(RUN, 10));
    try (ScriptedTrainer trainer = new ScriptedTrainer(service.kafka, run)) {
      trainer.train(10, 0, (step, domain) -> 0);
    }
    service.mix().cancel();
    new TopicScan(service.kafka).read(List.of(service.kafka.topics().stream(RUN)), clean::add);
    assertThat(clean).hasSize(160);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void passesACleanStreamAndOneThatRepeatsItself() {
    assertThat(audit(clean).violations()).isEmpty();
    List<ConsumerRecord<byte[], byte[]>> twice = new ArrayList<>(clean);
    twice.addAll(clean);
    AuditReport repeated = audit(twice);
    assertThat(repeated.violations()).isEmpty();
    assertThat(repeated.duplicates()).isEqualTo(160);
  }

  @Test
  void findsAMissingSequence() {
    List<ConsumerRecord<byte[], byte[]>> holed = new ArrayList<>(clean);
    ConsumerRecord<byte[], byte[]> lost = holed.remove(5);
    assertThat(audit(holed).violations())
        .containsExactly(
            "I4: timeline 0, partition "
                + lost.partition()
                + ": sequence "
                + header(lost).index()
                + " of batch "
                + header(lost).batch()
                + " is missing, later ones are there");
  }

  @Test
  void findsOtherWeightsAndAnotherDomain() {
    assertThat(violations(h -> with(h, h.batch(), h.weightsVersion() + 1, h.ordinal(), h.chain())))
        .startsWith("I1: sequence");
    assertThat(violations(h -> with(h, h.batch(), h.weightsVersion(), h.ordinal() + 1, h.chain())))
        .startsWith("I2: sequence");
    assertThat(violations(h -> with(h, h.batch(), h.weightsVersion(), h.ordinal(), h.chain() + 1)))
        .startsWith("I2: sequence");
    assertThat(violations(h -> with(h, h.batch() + 1, h.weightsVersion(), h.ordinal(), h.chain())))
        .startsWith("I2: sequence");
  }

  @Test
  void findsOtherBytes() {
    List<ConsumerRecord<byte[], byte[]>> other = new ArrayList<>(clean);
    ConsumerRecord<byte[], byte[]> hit = other.get(7);
    byte[] bytes = hit.value().clone();
    bytes[bytes.length - 3] ^= 1;
    other.set(7, copy(hit, header(hit), bytes));
    assertThat(audit(other).violations()).hasSize(1);
    assertThat(audit(other).violations().get(0)).contains("the bytes are not block");
  }

  @Test
  void findsWhatIsBeyondTheLastGrant() {
    List<ConsumerRecord<byte[], byte[]>> more = new ArrayList<>(clean);
    ConsumerRecord<byte[], byte[]> last = more.get(more.size() - 1);
    StreamHeader h = header(last);
    long beyond = 160L + last.partition();
    more.add(
        copy(
            last,
            new StreamHeader(0, 11, 160, 16, beyond, 1, h.ordinal() + 1, h.chain()),
            last.value()));
    assertThat(audit(more).violations())
        .containsExactly(
            "I5: sequence " + beyond + " of batch 11 is beyond the last grant of timeline 0");
  }

  private static String violations(UnaryOperator<StreamHeader> change) {
    List<ConsumerRecord<byte[], byte[]>> changed = new ArrayList<>(clean);
    ConsumerRecord<byte[], byte[]> hit = changed.get(9);
    changed.set(9, copy(hit, change.apply(header(hit)), hit.value()));
    List<String> violations = audit(changed).violations();
    assertThat(violations).hasSize(1);
    return violations.get(0);
  }

  /** Audits a stream of these records, in the place of the run's own. */
  private static AuditReport audit(List<ConsumerRecord<byte[], byte[]>> records) {
    try (TopicAdmin admin = new TopicAdmin(service.kafka);
        KafkaProducer<byte[], byte[]> producer = service.producer()) {
      service.deleteTopic(service.kafka.topics().stream(RUN));
      admin.ensureRun(run.spec(), run.runId());
      for (ConsumerRecord<byte[], byte[]> record : records) {
        var unused =
            producer.send(
                new ProducerRecord<>(
                    record.topic(),
                    record.partition(),
                    record.timestamp(),
                    record.key(),
                    record.value(),
                    record.headers()));
      }
    }
    return Auditor.audit(service.kafka, RUN);
  }

  private static StreamHeader header(ConsumerRecord<byte[], byte[]> record) {
    return StreamHeader.decode(record.headers().lastHeader(StreamHeader.KEY).value());
  }

  private static StreamHeader with(
      StreamHeader h, long batch, int version, long ordinal, long chain) {
    return new StreamHeader(
        h.timeline(), batch, h.firstIndex(), h.batchSize(), h.index(), version, ordinal, chain);
  }

  private static ConsumerRecord<byte[], byte[]> copy(
      ConsumerRecord<byte[], byte[]> record, StreamHeader header, byte[] value) {
    ConsumerRecord<byte[], byte[]> copy =
        new ConsumerRecord<>(
            record.topic(),
            record.partition(),
            record.offset(),
            record.timestamp(),
            record.timestampType(),
            0,
            value.length,
            record.key(),
            value,
            new org.apache.kafka.common.header.internals.RecordHeaders(),
            java.util.Optional.empty());
    copy.headers().add(new RecordHeader(StreamHeader.KEY, header.encode()));
    return copy;
  }
}
