package io.sluice.lab.chaos;

import io.sluice.client.run.RunInfo;
import io.sluice.control.error.Answers;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunFollower;
import io.sluice.control.history.RunLogs;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** A stream whose topic is deleted under a run, which must then fail and say why. */
final class LostStream {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration FAILURE_NOTICED = Duration.ofMinutes(2);

  private LostStream() {}

  /**
   * Deletes a run's stream, and waits until the run has failed of it.
   *
   * @return the topic
   */
  static String delete(KafkaAccess kafka, RunInfo run) {
    String topic = kafka.topics().stream(run.name());
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      Answers.await(admin.deleteTopics(List.of(topic)).all(), PATIENCE, "deleting topic " + topic);
    }
    RunLogs logs = RunLogs.of(kafka);
    RunFold fold = logs.fold(logs.byId(run.runId()).orElseThrow());
    try (RunFollower log = new RunFollower(kafka, fold)) {
      if (!Waiting.until(() -> hasFailed(log, topic), FAILURE_NOTICED)) {
        throw new CheckFailedException(
            "run " + run.runId() + " has not failed though its topic " + topic + " is gone");
      }
    }
    return topic;
  }

  private static boolean hasFailed(RunFollower log, String topic) {
    log.catchUp(entry -> {});
    return log.fold().state().phase() == RunPhase.FAILED && log.fold().why().contains(topic);
  }
}
