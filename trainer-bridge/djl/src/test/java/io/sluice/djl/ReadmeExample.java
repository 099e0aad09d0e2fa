package io.sluice.djl;

import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.translate.TranslateException;
import io.sluice.client.EvalSets;
import io.sluice.client.FeedbackReporter;
import io.sluice.client.Reporter;
import io.sluice.client.RunDirectory;
import io.sluice.client.RunInfo;
import io.sluice.client.StreamOptions;
import io.sluice.client.TrainerStream;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The code of the README, so that it compiles. */
final class ReadmeExample {
  private ReadmeExample() {}

  static TrainingSummary reference() {
    // README: reference
    KafkaAccess kafka = KafkaAccess.local("localhost:9092");
    RunInfo run = RunDirectory.find(kafka, "velo-small", Duration.ofMinutes(1));
    TrainerSettings settings =
        TrainerSettings.builder(1_000)
            .model(4, 256, 8)
            .checkpoints(new CheckpointSettings(Path.of("checkpoints"), 100, 2))
            .build();
    return new ReferenceTrainer(kafka, settings, TrainingObserver.NONE).train(run);
    // README: end
  }

  static void own(KafkaAccess kafka, ModelSize size, Trainer trainer)
      throws IOException, TranslateException {
    // README: own
    RunInfo run = RunDirectory.find(kafka, "velo-small", Duration.ofMinutes(1));
    var heldOut = EvalSets.read(kafka, run, 8, Duration.ofMinutes(10));
    var evaluation = new DomainEvaluation(heldOut, size, 16, true);
    var meters = List.of(ScheduledMeter.fromStart(evaluation, run.spec().getUpdateEvery()));
    var reporter = FeedbackReporter.open(kafka, run, Reporter.single(), InstantSource.system());
    var stream = TrainerStream.open(kafka, run, StreamOptions.defaults());
    try (var batches = new StreamBatches(stream);
        var channel = FeedbackChannel.to(reporter)) {
      var feedback = new StepFeedback(trainer, meters, channel);
      feedback.afterStep(0);
      var data = new StreamDataset(batches, size, true, 1_000, Duration.ofMinutes(10), feedback);
      EasyTrain.fit(trainer, 1, data, null);
    }
    // README: end
  }
}
