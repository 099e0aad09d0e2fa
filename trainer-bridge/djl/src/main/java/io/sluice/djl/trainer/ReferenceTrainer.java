package io.sluice.djl.trainer;

import io.sluice.client.evaluation.EvalSets;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.run.ResumePoint;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.djl.data.StreamBatches;
import io.sluice.djl.measure.Meters;
import io.sluice.djl.model.CausalTransformer;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.ReferenceModel;
import io.sluice.djl.trainer.CheckpointStore.Stored;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.errors.InterruptException;

/**
 * A complete trainer of one process: it trains a {@link CausalTransformer} on a run's stream and
 * closes the loop with what the run's specification says that its rounds wait for: held-out losses,
 * perplexities, training losses, gradient alignments, or a metric of another jar, whose {@link
 * io.sluice.djl.measure.MeterFactory} is on the class path. Held-out losses are sent even if no
 * policy waits for them, for the people and the tools that read them.
 *
 * <p>Order of one step: batch, optimizer step, measurements and their feedback if the step ends a
 * round, progress, checkpoint if one is due. A checkpoint holds the parameters, the optimizer's
 * moments and the position in the stream, so a resumed training continues as if it had never
 * stopped. After a rewind it goes on from the newest checkpoint of a batch that still stands, and a
 * run that was forked from the checkpoint of the batch that it continues.
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
   * Fails if a run's rounds wait for what this trainer cannot measure.
   *
   * @throws IllegalArgumentException then, naming the policy, the metric and what to do
   */
  public static void requireMeasurable(RunSpec spec, TrainerSettings settings) {
    var unused = new RunMeters(spec, settings);
  }

  /**
   * Trains until the last step, the end of the run, or an interrupt, which ends it between two
   * steps and is set again on return.
   *
   * @throws IllegalArgumentException if the settings do not fit the run or the checkpoints
   * @throws DivergedException if a loss is no longer finite; it is not sent
   * @throws io.sluice.client.error.StreamException if the stream stalls, is broken or was rewound
   * @throws io.sluice.client.error.EvalSetException if a domain has no usable held-out blocks
   */
  public TrainingSummary train(RunInfo run) {
    Optional<CheckpointStore> store =
        settings.checkpoints().map(each -> new CheckpointStore(each.directory(), each.keep()));
    store.ifPresent(each -> each.requireOnly(run.runId()));
    Optional<Stored> resumed = resumed(run, store);
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

  /** The newest checkpoint that the run stands by; its own before those that it begins from. */
  private Optional<Stored> resumed(RunInfo run, Optional<CheckpointStore> store) {
    List<Stored> own = store.map(CheckpointStore::all).orElse(List.of());
    Optional<Path> from = settings.beginFrom();
    List<Stored> all =
        own.isEmpty() && from.isPresent() ? new CheckpointStore(from.get(), 1).all() : own;
    return ResumePoint.newest(access, run, all.stream().map(Stored::state).toList())
        .flatMap(state -> all.stream().filter(each -> each.state().equals(state)).findFirst());
  }

  private TrainingSummary train(
      RunInfo run, Optional<CheckpointStore> store, Optional<Stored> resumed, StreamState start)
      throws InterruptedException {
    RunSpec spec = run.spec();
    ModelSize size = settings.modelSize(spec.getVocabulary(), spec.getSequenceLength());
    // What cannot be measured is refused before a model is made.
    requireMeasurable(spec, settings);
    try (ShutdownGuard guard = ShutdownGuard.open();
        TrainingLoop loop = new TrainingLoop(size, settings);
        BesideModels beside = BesideModels.of(settings, loop, resumed.isEmpty());
        Loader stream = Loader.open(access, run, options(), start);
        FeedbackChannel channel = FeedbackChannel.to(reporter(stream))) {
      resumed.ifPresent(checkpoint -> load(loop, checkpoint));
      store.ifPresent(
          each -> each.follow(state -> stream.timelineOf(state.batch()) == state.timeline()));
      StepFeedback feedback =
          new StepFeedback(
              loop.trainer(),
              meters(stream, size, loop, beside.reference()),
              channel,
              () -> UUID.randomUUID().toString(),
              () -> store.map(CheckpointStore::oldest).orElse(-1L),
              observer);
      return new TrainingRun(
              settings,
              loop,
              new StreamBatches(stream),
              channel,
              feedback,
              store,
              observer,
              System::nanoTime)
          .train();
    }
  }

  /** It says whatever it has a meter for, so that a policy can be set that needs it. */
  private static StreamOptions options() {
    return StreamOptions.defaults().withMetrics(Meters.provided().metrics());
  }

  private FeedbackReporter reporter(Loader stream) {
    return FeedbackReporter.open(access, stream, InstantSource.system());
  }

  private FollowingMeters meters(
      Loader stream, ModelSize size, TrainingLoop loop, Optional<ReferenceModel> reference) {
    return new FollowingMeters(
        stream::runAt,
        stream.state().batch(),
        (run, blocks) -> EvalSets.read(access, run, blocks, settings.patience()),
        settings,
        size,
        loop,
        reference);
  }

  private static void load(TrainingLoop loop, Stored checkpoint) {
    try {
      loop.load(checkpoint.directory());
    } catch (IOException e) {
      throw new UncheckedIOException("checkpoint could not be read: " + e, e);
    }
  }
}
