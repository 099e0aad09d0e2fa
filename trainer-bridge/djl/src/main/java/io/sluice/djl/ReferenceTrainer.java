package io.sluice.djl;

import io.sluice.client.EvalSets;
import io.sluice.client.FeedbackReporter;
import io.sluice.client.Reporter;
import io.sluice.client.RunInfo;
import io.sluice.client.StreamOptions;
import io.sluice.client.StreamState;
import io.sluice.client.TrainerStream;
import io.sluice.djl.CheckpointStore.Stored;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.errors.InterruptException;

/**
 * A complete trainer of one process: it trains a {@link CausalTransformer} on a run's stream and
 * closes the loop with what the run's policy waits for: held-out losses, perplexities, training
 * losses or gradient alignments. Held-out losses are sent even if no policy waits for them, for the
 * people and the tools that read them.
 *
 * <p>Order of one step: batch, optimizer step, measurements and their feedback if the step ends a
 * round, progress, checkpoint if one is due. A checkpoint holds the parameters, the optimizer's
 * moments and the position in the stream, so a resumed training continues as if it had never
 * stopped. After a rewind, remove the checkpoints beyond the batch that the error names.
 *
 * <p>The first training in an account unpacks PyTorch's libraries to {@code ~/.djl.ai}, or to the
 * directory that {@code ENGINE_CACHE_DIR} names, as environment variable or system property. No
 * network is used.
 */
public final class ReferenceTrainer {
  private final KafkaAccess access;
  private final TrainerSettings settings;
  private final TrainingObserver observer;

  /** A trainer that has not started. */
  public ReferenceTrainer(KafkaAccess access, TrainerSettings settings, TrainingObserver observer) {
    this.access = access;
    this.settings = settings;
    this.observer = observer;
  }

  /**
   * Trains until the last step, the end of the run, or an interrupt, which ends it between two
   * steps and is set again on return.
   *
   * @throws IllegalArgumentException if the settings do not fit the run or the checkpoints
   * @throws DivergedException if a loss is no longer finite; it is not sent
   * @throws io.sluice.client.StreamException if the stream stalls, is broken or was rewound
   * @throws io.sluice.client.EvalSetException if a domain has no usable held-out blocks
   */
  public TrainingSummary train(RunInfo run) {
    Optional<CheckpointStore> store =
        settings.checkpoints().map(each -> new CheckpointStore(each.directory(), each.keep()));
    Optional<Stored> resumed = store.flatMap(each -> each.newest(run.runId()));
    StreamState start = resumed.map(Stored::state).orElseGet(() -> StreamState.start(run.runId()));
    TrainingSummary summary;
    try {
      summary = train(run, store, resumed, start);
    } catch (InterruptException | InterruptedException e) {
      // While the training was set up: nothing has been trained.
      summary = TrainingSummary.interruptedBefore(start.batch() + 1);
    }
    if (summary.end() == TrainingSummary.End.INTERRUPTED) {
      Thread.currentThread().interrupt();
    }
    return summary;
  }

  private TrainingSummary train(
      RunInfo run, Optional<CheckpointStore> store, Optional<Stored> resumed, StreamState start)
      throws InterruptedException {
    RunSpec spec = run.spec();
    ModelSize size = settings.modelSize(spec.getVocabulary(), spec.getSequenceLength());
    RunMeters meters = new RunMeters(spec, settings);
    Map<String, List<TokenBlock>> heldOut =
        EvalSets.read(access, run, meters.heldOutBlocks(), settings.patience());
    try (ShutdownGuard guard = ShutdownGuard.open();
        TrainingLoop loop = new TrainingLoop(size, settings);
        BatchSource source = openStream(run, start);
        FeedbackChannel channel = openFeedback(run, start)) {
      resumed.ifPresent(checkpoint -> load(loop, checkpoint));
      StepFeedback feedback =
          new StepFeedback(
              loop.trainer(),
              meters.over(heldOut, size, loop),
              channel,
              () -> UUID.randomUUID().toString(),
              () -> store.map(CheckpointStore::oldest).orElse(-1L),
              observer);
      return new TrainingRun(
              settings, loop, source, channel, feedback, store, observer, System::nanoTime)
          .train();
    }
  }

  private BatchSource openStream(RunInfo run, StreamState start) {
    TrainerStream stream = TrainerStream.open(access, run, StreamOptions.defaults());
    stream.seek(start);
    return new StreamBatches(stream);
  }

  private FeedbackChannel openFeedback(RunInfo run, StreamState start) {
    return FeedbackChannel.to(
        FeedbackReporter.open(
            access, run, new Reporter(start.timeline(), 1, 0), InstantSource.system()));
  }

  private static void load(TrainingLoop loop, Stored checkpoint) {
    try {
      loop.load(checkpoint.directory());
    } catch (IOException e) {
      throw new UncheckedIOException("checkpoint could not be read: " + e, e);
    }
  }
}
