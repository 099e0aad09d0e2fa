package io.sluice.control.feedback;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.TopicScan;
import io.sluice.mixture.log.Lineage;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The reports in a run's feedback topic that are of batches which stand, so that of what was
 * rewound only the last time counts.
 */
public final class RunFeedback {
  private final String runId;
  private final Lineage lineage;
  private final Consumer<TrainerFeedback> taker;

  private RunFeedback(String runId, Lineage lineage, Consumer<TrainerFeedback> taker) {
    this.runId = runId;
    this.lineage = lineage;
    this.taker = taker;
  }

  /**
   * Hands on the reports, in the order in which they were sent.
   *
   * @param taker throws {@link IllegalArgumentException} at what is no report of the run, which is
   *     passed over
   * @throws BadInputException if the topic does not exist
   */
  public static void read(KafkaAccess access, RunFold run, Consumer<TrainerFeedback> taker) {
    RunFeedback feedback = new RunFeedback(run.runId(), run.state().lineage(), taker);
    new TopicScan(access).read(List.of(access.topics().feedback(run.name())), feedback::accept);
  }

  private void accept(ConsumerRecord<byte[], byte[]> message) {
    try {
      if (message.value() != null
          && WireCodec.decode(message.value()) instanceof TrainerFeedback feedback
          && feedback.getRunId().equals(runId)
          && feedback.getTimeline() == lineage.owner(feedback.getStep())) {
        taker.accept(feedback);
      }
    } catch (WireFormatException | IllegalArgumentException e) {
      // Every reader ignores what is no report; the job that reads it counts it.
      return;
    }
  }
}
