package io.sluice.djl.trainer;

import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.djl.data.Interrupts;
import org.apache.kafka.common.errors.InterruptException;

/** A run's feedback topic; the trainer's own step counter is the stream's. */
record FeedbackTopic(FeedbackReporter reporter) implements FeedbackChannel {
  @Override
  public void measured(Measurement measurement) {
    reporter.publish(measurement);
  }

  @Override
  public void progress(long step, long oldestCheckpoint) {
    reporter.progress(step, step, oldestCheckpoint);
  }

  @Override
  public void flush() throws InterruptedException {
    try {
      reporter.flush();
    } catch (InterruptException e) {
      throw Interrupts.checked(e);
    }
  }

  @Override
  public void close() {
    reporter.close();
  }
}
