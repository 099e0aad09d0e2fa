package io.sluice.client.feedback;

import io.sluice.client.error.FeedbackLostException;
import java.util.function.LongSupplier;

/**
 * Reports a rank's progress, and the oldest checkpoint that it could go back to.
 *
 * <p>A run with a lead waits for its trainers, so the interval must stay below it.
 */
public final class ProgressReporter {
  private final FeedbackReporter feedback;
  private final long every;
  private final LongSupplier oldestCheckpoint;

  /**
   * Progress of the rank that a reporter sends for.
   *
   * @param every batches between two reports, at least 1
   * @param oldestCheckpoint batch of the oldest checkpoint that is kept; -1 for none. Sequences
   *     before it may be deleted from the stream, so it is asked before each report.
   */
  public ProgressReporter(FeedbackReporter feedback, long every, LongSupplier oldestCheckpoint) {
    if (every < 1) {
      throw new IllegalArgumentException("every must be at least 1: " + every);
    }
    this.feedback = feedback;
    this.every = every;
    this.oldestCheckpoint = oldestCheckpoint;
  }

  /**
   * Says that the model was trained on a batch; call it after publishing the feedback of that step.
   *
   * @throws FeedbackLostException if an earlier record was not acknowledged
   */
  public void trained(long batch) {
    if (batch % every == 0) {
      feedback.progress(batch, batch, Math.min(batch, oldestCheckpoint.getAsLong()));
    }
  }
}
