package io.sluice.lab.chaos;

import io.sluice.client.run.RunInfo;
import io.sluice.control.error.Answers;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.history.RunHistory;
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
    if (!Waiting.until(() -> hasFailed(kafka, run, topic), FAILURE_NOTICED)) {
      throw new CheckFailedException(
          "run " + run.runId() + " has not failed though its topic " + topic + " is gone");
    }
    return topic;
  }

  private static boolean hasFailed(KafkaAccess kafka, RunInfo run, String topic) {
    RunHistory history = RunHistory.readAll(kafka).get(run.runId());
    return history != null
        && history.state().phase() == RunPhase.FAILED
        && history.entries().get(history.entries().size() - 1).why().contains(topic);
  }
}
