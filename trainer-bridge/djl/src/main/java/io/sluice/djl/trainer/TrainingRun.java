package io.sluice.djl.trainer;

import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.StreamState;
import io.sluice.djl.data.BatchSource;
import io.sluice.djl.data.TrainingBatch;
import io.sluice.djl.trainer.TrainingSummary.End;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.InterruptException;

/**
 * One training from its first step to its end: fetch a batch, train on it, send feedback, and keep
 * a checkpoint now and then.
 */
final class TrainingRun {
  private static final Duration NOTICE = Duration.ofMinutes(1);

  private final TrainerSettings settings;
  private final TrainingLoop loop;
  private final BatchSource source;
  private final FeedbackChannel channel;
  private final StepFeedback feedback;
  private final Optional<CheckpointStore> checkpoints;
  private final TrainingObserver observer;
  private final LongSupplier nanoTime;

  private long tokens;
  private double lastLoss;
  private long waitNanos;
  private long stepNanos;
  private long feedbackNanos;

  TrainingRun(
      TrainerSettings settings,
      TrainingLoop loop,
      BatchSource source,
      FeedbackChannel channel,
      StepFeedback feedback,
      Optional<CheckpointStore> checkpoints,
      TrainingObserver observer,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.loop = loop;
    this.source = source;
    this.channel = channel;
    this.feedback = feedback;
    this.checkpoints = checkpoints;
    this.observer = observer;
    this.nanoTime = nanoTime;
  }

  /**
   * Trains from the source's position on; an interrupt ends it between two steps and is then
   * cleared.
   */
  TrainingSummary train() {
    StreamState start = source.state();
    try {
      reportStart(start);
      Optional<RunEndedException> end = trainSteps();
      channel.flush();
      return end.map(over -> summary(start, over))
          .orElseGet(() -> summary(start, End.COMPLETED, ""));
    } catch (InterruptedException | InterruptException e) {
      // Kafka sets the flag again; what is closed next must not fail because of it.
      Thread.interrupted();
      return summary(start, End.INTERRUPTED, "");
    }
  }

  /** The end of the stream, if it came before the last step. */
  private Optional<RunEndedException> trainSteps() throws InterruptedException {
    while (source.state().batch() < settings.steps()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      long asked = nanoTime.getAsLong();
      TrainingBatch batch;
      try {
        batch = await();
      } catch (RunEndedException end) {
        return Optional.of(end);
      }
      trainOn(batch, nanoTime.getAsLong() - asked);
    }
    return Optional.empty();
  }

  /** Waits for as long as it takes, and says so once a minute. */
  private TrainingBatch await() throws InterruptedException {
    for (long waits = 1; ; waits++) {
      try {
        return source.next(NOTICE);
      } catch (StreamStalledException e) {
        observer.onWait(e.batch(), NOTICE.multipliedBy(waits), e.status());
      }
    }
  }

  private void reportStart(StreamState start) {
    long begun = nanoTime.getAsLong();
    if (start.batch() == 0) {
      feedback.afterStep(0);
    } else {
      feedback.progress(start.batch());
    }
    feedbackNanos += nanoTime.getAsLong() - begun;
  }

  private void trainOn(TrainingBatch batch, long waited) throws InterruptedException {
    long begun = nanoTime.getAsLong();
    int sequences = batch.blocks().size();
    TrainingLoop.StepResult result =
        loop.step(batch.blocks(), done -> observer.onPart(batch.batch(), done, sequences));
    long trained = nanoTime.getAsLong();
    feedback.afterStep(batch.batch());
    checkpoint(batch.batch());
    feedbackNanos += nanoTime.getAsLong() - trained;
    waitNanos += waited;
    stepNanos += trained - begun;
    tokens += result.tokens();
    lastLoss = result.loss();
    observer.onStep(
        new StepReport(
            batch.batch(),
            batch.timeline(),
            batch.weightsVersion(),
            result.loss(),
            result.tokens(),
            result.gradientNorm(),
            waited,
            trained - begun,
            batch.sequencesByDomain(),
            result.domains()));
  }

  /** A checkpoint may only exist once the broker has the feedback of all its batches. */
  private void checkpoint(long step) throws InterruptedException {
    boolean due = settings.checkpoints().filter(each -> step % each.every() == 0).isPresent();
    if (due && checkpoints.isPresent()) {
      channel.flush();
      checkpoints.get().write(source.state(), loop::save);
    }
  }

  private TrainingSummary summary(StreamState start, RunEndedException over) {
    End end = over.inOrder() ? End.RUN_ENDED : End.RUN_LOST;
    return summary(start, end, String.valueOf(over.getMessage()));
  }

  private TrainingSummary summary(StreamState start, End end, String detail) {
    return new TrainingSummary(
        start.batch() + 1,
        source.state().batch(),
        end,
        detail,
        lastLoss,
        tokens,
        waitNanos,
        stepNanos,
        feedbackNanos);
  }
}
