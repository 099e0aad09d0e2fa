package io.sluice.djl.trainer;

/**
 * A training that has ended.
 *
 * @param firstStep first step it trained; one above {@code lastStep} if none
 * @param lastStep batches of the stream the model has been trained on
 * @param end why it ended
 * @param detail the end in words, or empty
 * @param lastLoss training loss of the last step in nats per token; 0 if none
 * @param tokens trained tokens
 * @param waitNanos time spent waiting for batches
 * @param stepNanos time spent training
 * @param feedbackNanos time spent evaluating, sending feedback and writing checkpoints
 */
public record TrainingSummary(
    long firstStep,
    long lastStep,
    End end,
    String detail,
    double lastLoss,
    long tokens,
    long waitNanos,
    long stepNanos,
    long feedbackNanos) {

  /** A training that was interrupted before it began. */
  static TrainingSummary interruptedBefore(long firstStep) {
    return new TrainingSummary(firstStep, firstStep - 1, End.INTERRUPTED, "", 0, 0, 0, 0, 0);
  }

  /** Why a training ended. */
  public enum End {
    /** All steps are done. */
    COMPLETED,
    /** The run was completed or stopped, and gives no more batches. */
    RUN_ENDED,
    /** The run failed or was deleted, and gives no more batches. */
    RUN_LOST,
    /** Its thread was interrupted. */
    INTERRUPTED
  }
}
