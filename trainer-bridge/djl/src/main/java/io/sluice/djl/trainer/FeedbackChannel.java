package io.sluice.djl.trainer;

import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;

/**
 * Where one trainer's measurements and progress go: a run's feedback topic, or a list in a test.
 * What is sent earlier is read earlier. The timeline is that of the stream the trainer follows.
 */
public interface FeedbackChannel extends AutoCloseable {
  /** The channel that sends with a reporter, and closes it when it is closed. */
  static FeedbackChannel to(FeedbackReporter reporter) {
    return new FeedbackTopic(reporter);
  }

  /** Sends what was measured at a step. */
  void measured(Measurement measurement);

  /**
   * Sends how far the training has come, after the measurements of the same step.
   *
   * @param oldestCheckpoint batch of the oldest checkpoint still kept; −1 for none
   */
  void progress(long step, long oldestCheckpoint);

  /**
   * Waits until the broker has acknowledged everything sent so far.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  void flush() throws InterruptedException;

  /** Waits a while for what was sent, then lets go of it. */
  @Override
  void close();
}
