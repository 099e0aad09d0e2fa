package io.sluice.djl;

import io.sluice.client.FeedbackLostException;
import io.sluice.client.FeedbackReporter;
import io.sluice.client.Measurement;
import org.apache.kafka.common.errors.InterruptException;

/** A run's feedback topic; the trainer's own step counter is the stream's. */
final class FeedbackTopic implements FeedbackChannel {
  private final FeedbackReporter publisher;

  FeedbackTopic(FeedbackReporter publisher) {
    this.publisher = publisher;
  }

  @Override
  public void measured(Measurement measurement) {
    send(() -> publisher.publish(measurement));
  }

  @Override
  public void progress(long step, long oldestCheckpoint) {
    send(() -> publisher.progress(step, step, oldestCheckpoint));
  }

  /** An interrupt while the topic is looked up is no lost feedback: the training ends. */
  private static void send(Runnable call) {
    try {
      call.run();
    } catch (FeedbackLostException e) {
      if (e.getCause() instanceof InterruptException interrupt) {
        throw interrupt;
      }
      throw e;
    }
  }

  @Override
  public void flush() throws InterruptedException {
    try {
      publisher.flush();
    } catch (InterruptException e) {
      throw Interrupts.checked(e);
    }
  }

  @Override
  public void close() {
    publisher.close();
  }
}
