package io.sluice.cli.trainer;

import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.translate.TranslateException;
import io.sluice.client.block.Sequence;
import io.sluice.client.evaluation.EvalSets;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.ProgressReporter;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.djl.data.StreamBatches;
import io.sluice.djl.data.StreamDataset;
import io.sluice.djl.measure.DomainEvaluation;
import io.sluice.djl.measure.ScheduledMeter;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.trainer.BatchGradients;
import io.sluice.djl.trainer.CheckpointSettings;
import io.sluice.djl.trainer.FeedbackChannel;
import io.sluice.djl.trainer.ReferenceTrainer;
import io.sluice.djl.trainer.StepFeedback;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingObserver;
import io.sluice.djl.trainer.TrainingSummary;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The Java of both READMEs, which {@link DjlExampleIT} runs. */
final class DjlExample {
  private DjlExample() {}

  static TrainingSummary reference(String bootstrap, Path directory, long steps) {
    // README: reference
    KafkaAccess kafka = KafkaAccess.local(bootstrap);
    RunInfo run = RunDirectory.find(kafka, "velo-small", Duration.ofMinutes(1));
    TrainerSettings settings =
        TrainerSettings.builder(steps)
            .model(2, 32, 4)
            .checkpoints(new CheckpointSettings(directory, 100, 2))
            .build();
    return new ReferenceTrainer(kafka, settings, TrainingObserver.NONE).train(run);
    // README: end
  }

  static void attach(
      String bootstrap,
      int rank,
      int worldSize,
      StreamState checkpoint,
      long oldestCheckpoint,
      ByteBuffer pinned) {
    // README: attach
    KafkaAccess kafka = KafkaAccess.local(bootstrap);
    RunInfo run = RunDirectory.find(kafka, "velo-small", Duration.ofMinutes(1));
    StreamOptions options = StreamOptions.defaults().withRank(TrainerRank.of(rank, worldSize));
    try (Loader stream = Loader.open(kafka, run, options, checkpoint);
        FeedbackReporter feedback = FeedbackReporter.open(kafka, stream, InstantSource.system())) {
      ProgressReporter progress = new ProgressReporter(feedback, 1, () -> oldestCheckpoint);
      for (GlobalBatch batch : stream.batches(Duration.ofMinutes(5))) {
        batch.writeTokens(pinned.clear()); // this rank's rows, copied once from the fetched bytes
        // train; every m steps: feedback.publish(Measurement.evalLoss(…))
        progress.trained(batch.batch());
      }
    }
    // README: end
  }

  static void loop(KafkaAccess kafka, ModelSize size, Trainer trainer, long steps) {
    // README: loop
    RunInfo run = RunDirectory.find(kafka, "velo-small", Duration.ofMinutes(1));
    var heldOut = EvalSets.read(kafka, run, 8, Duration.ofMinutes(10));
    var evaluation = new DomainEvaluation(heldOut, size, 16, true);
    var meters = List.of(ScheduledMeter.fromStart(evaluation, run.spec().getUpdateEvery()));
    try (var stream = Loader.open(kafka, run, StreamOptions.defaults());
        var reporter = FeedbackReporter.open(kafka, stream, InstantSource.system())) {
      var feedback = new StepFeedback(trainer, meters, FeedbackChannel.to(reporter));
      feedback.afterStep(0);
      while (stream.state().batch() < steps) {
        var rows = stream.next(Duration.ofMinutes(10)).sequences();
        var blocks = rows.stream().map(Sequence::block).toList();
        BatchGradients.gather(trainer, blocks, 16, size, true);
        trainer.step();
        feedback.afterStep(stream.state().batch());
      }
    }
    // README: end
  }

  static void easyTrain(KafkaAccess kafka, ModelSize size, Trainer trainer, long steps)
      throws IOException, TranslateException {
    // README: easy-train
    RunInfo run = RunDirectory.find(kafka, "velo-small", Duration.ofMinutes(1));
    var heldOut = EvalSets.read(kafka, run, 8, Duration.ofMinutes(10));
    var evaluation = new DomainEvaluation(heldOut, size, 16, true);
    var meters = List.of(ScheduledMeter.fromStart(evaluation, run.spec().getUpdateEvery()));
    var stream = Loader.open(kafka, run, StreamOptions.defaults());
    try (var batches = new StreamBatches(stream);
        var reporter = FeedbackReporter.open(kafka, stream, InstantSource.system())) {
      var feedback = new StepFeedback(trainer, meters, FeedbackChannel.to(reporter));
      feedback.afterStep(0);
      var data = new StreamDataset(batches, size, true, steps, Duration.ofMinutes(10), feedback);
      EasyTrain.fit(trainer, 1, data, null);
    }
    // README: end
  }
}
