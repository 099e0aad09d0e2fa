package io.sluice.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.loop.TestingService;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.TopicScan;
import io.sluice.service.Patience;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Audits of streams whose heads are reclaimed, before the audit reads them and while it does. A
 * batch has 16 sequences, four in each partition: sequence g is in partition g mod 4 at offset g /
 * 4.
 */
class ReclaimedStreamIT {
  private static final int BATCHES = 10;
  private static final int PARTITIONS = 4;

  @TempDir private static Path directory;

  private static TestingService service;

  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    service.fill();
    emit("reading");
    emit("before");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void auditsWhatIsLeftWhenSomeIsReclaimedWhileItReads() {
    AuditReport report =
        audit(
            "reading",
            record ->
                switch (record.partition()) {
                  case 1 -> record.offset() < 6 || record.offset() >= 22;
                  case 2 -> record.offset() >= 13;
                  default -> true;
                });
    assertThat(report.violations()).isEmpty();
    assertThat(report.sequences()).isEqualTo(160 - 16 - 13);
    assertThat(report.from()).isEqualTo(1 + 4 * 22 - 3);
    assertThat(report.first()).isEqualTo(7);
    assertThat(report.emitted()).isEqualTo(10);
    assertThat(report.summary())
        .contains(
            "131 sequences checked, what is left from sequence 86, batches 7 to 10 of 10 granted");
  }

  @Test
  void auditsAPartitionOfWhichNothingIsLeft() {
    AuditReport report = audit("reading", record -> record.partition() != 3 || record.offset() < 2);
    assertThat(report.violations()).isEmpty();
    assertThat(report.sequences()).isEqualTo(122);
    assertThat(report.summary()).contains("what is left, no whole batch of 10 granted");
  }

  @Test
  void stillFindsWhatIsMissingFromWhatIsLeft() {
    long lost = 25;
    AuditReport holed =
        Auditor.audit(
            service.kafka,
            "reading",
            (ends, reader) ->
                new TopicScan(service.kafka)
                    .read(
                        ends,
                        record -> {
                          long offset = record.offset();
                          if (record.partition() != 1 || (offset >= 22 && offset < lost)) {
                            reader.accept(record);
                          } else if (offset > lost) {
                            reader.accept(moved(record, offset - 1));
                          }
                        }));
    assertThat(holed.violations())
        .containsExactly(
            "I4: timeline 0, partition 1: sequence 101 of batch 7 is missing, later ones are there");
  }

  @Test
  void saysFromWhichSequenceItAudited() throws Exception {
    cut("before", 12);
    TestingSluice.Said said =
        new TestingSluice(service.kafka, directory).run("audit", "--run", "before");
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("passed: 112 sequences checked")
        .contains("what is left from sequence 48, batches 4 to 10 of 10 granted");
  }

  private static void emit(String name) {
    RunInfo run = service.start(service.fixed(name, BATCHES));
    try (Loader stream = Loader.open(service.kafka, run, StreamOptions.defaults())) {
      for (int batch = 1; batch <= BATCHES; batch++) {
        assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(batch);
      }
    }
  }

  private static AuditReport audit(String run, Predicate<ConsumerRecord<byte[], byte[]>> isLeft) {
    return Auditor.audit(
        service.kafka,
        run,
        (ends, reader) ->
            new TopicScan(service.kafka)
                .read(
                    ends,
                    record -> {
                      if (isLeft.test(record)) {
                        reader.accept(record);
                      }
                    }));
  }

  private static ConsumerRecord<byte[], byte[]> moved(
      ConsumerRecord<byte[], byte[]> record, long offset) {
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        offset,
        record.timestamp(),
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.key(),
        record.value(),
        record.headers(),
        record.leaderEpoch());
  }

  private static void cut(String run, long before) throws Exception {
    Map<TopicPartition, RecordsToDelete> cut = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      cut.put(
          new TopicPartition(service.kafka.topics().stream(run), partition),
          RecordsToDelete.beforeOffset(before));
    }
    try (Admin admin = Admin.create(service.kafka.with(Map.of()))) {
      admin.deleteRecords(cut).all().get();
    }
  }
}
