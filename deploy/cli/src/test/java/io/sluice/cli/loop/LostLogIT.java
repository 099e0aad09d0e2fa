package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.RunEndedException;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TopicReader;
import io.sluice.service.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker loses the tail of a run's log with its power, and MixJob goes on from a checkpoint. */
class LostLogIT {
  /** Who notices first says so: the controller, or who writes the stream. */
  private static final String WHY =
      "(the control log has lost its tail: entry .*|control log \\S+ has no record \\d+)";

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void theRunFailsForAllItsReadersAndTheOtherGoesOn() throws Exception {
    try (TestingService service = new TestingService(directory)) {
      service.fill();
      RunInfo lost = service.start(service.velocitune("lost", 60));
      RunInfo kept = service.start(service.velocitune("kept", 60));
      try (ScriptedTrainer losing = new ScriptedTrainer(service.kafka, lost);
          ScriptedTrainer keeping = new ScriptedTrainer(service.kafka, kept)) {
        losing.train(25, 10, LostLogIT::losses);
        keeping.train(25, 10, LostLogIT::losses);
        service.mix().checkpoint();
        service.mix().cancel();
        cut(service, lost, 2);
        long granted = state(service, "lost").position().granted();
        assertThat(granted).isLessThan(25);

        service.submitMix(service.flink().latestCheckpoint("mix"));
        keeping.train(60, 10, LostLogIT::losses);
        RunState ended =
            Patience.await(MINUTE, () -> state(service, "lost"), s -> s.phase().ended());
        assertThat(ended.phase()).isEqualTo(RunPhase.FAILED);
        assertThat(ended.position().granted()).isEqualTo(granted);
        assertThatThrownBy(() -> losing.train(60, 10, LostLogIT::losses))
            .isInstanceOf(RunEndedException.class)
            .hasMessageMatching("run lost\\S* is failed \\(" + WHY + "\\).*");
        RunStatus status =
            Patience.await(
                MINUTE,
                () -> new TopicScan(service.kafka).statuses().get(lost.runId()),
                s -> s.getPhase().equals("failed") && s.getGranted() == granted);
        assertThat(status.getWaiting()).matches(WHY);
      }
      assertThat(Auditor.audit(service.kafka, "kept").violations()).isEmpty();
    }
  }

  /** Leaves only the first records of a run's log. */
  private static void cut(TestingService service, RunInfo run, int left) throws Exception {
    String topic = service.kafka.topics().control(run.runId());
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (TopicReader reader = TopicReader.uncommitted(service.kafka)) {
      reader.catchUp(topic, MINUTE, records::add);
    }
    assertThat(records).hasSizeGreaterThan(left);
    service.deleteTopic(topic);
    try (TopicAdmin admin = new TopicAdmin(service.kafka);
        KafkaProducer<byte[], byte[]> producer = service.producer()) {
      admin.ensureRun(run.spec(), run.runId());
      for (ConsumerRecord<byte[], byte[]> record : records.subList(0, left)) {
        producer
            .send(new ProducerRecord<>(topic, 0, record.timestamp(), record.key(), record.value()))
            .get();
      }
    }
  }

  private static RunState state(TestingService service, String run) {
    return RunHistory.read(service.kafka, run).state();
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
