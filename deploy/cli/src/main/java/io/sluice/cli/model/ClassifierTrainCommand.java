package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.refine.classify.ClassifierTraining;
import io.sluice.refine.classify.TrainedClassifier;
import io.sluice.refine.classify.TrainingSettings;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice classifier train}. */
@Command(
    name = "train",
    description = {
      "Train a classifier from texts whose labels are known, and measure it with some that are held"
          + " out.",
      "Texts that are the same count once, and are either learned from or held out. The same texts and"
          + " seed give the same model."
    })
final class ClassifierTrainCommand extends CliCommand {
  @Mixin private ClassifierLabels labels = new ClassifierLabels();

  @Mixin private NewModel out = new NewModel();

  @Option(
      names = "--held-out",
      paramLabel = "SHARE",
      description = "Share of each label's texts to measure with, 0 to 0.5. Default: 0.1.")
  private double heldOut = TrainingSettings.STANDARD.heldOut();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of what is held out, and of the order of learning. Default: 1.")
  private long seed = TrainingSettings.STANDARD.seed();

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "How often each text is learned from, 1 to 1000. Default: 10.")
  private int epochs = TrainingSettings.STANDARD.epochs();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    TrainingSettings settings = TrainingSettings.STANDARD.with(epochs, heldOut, seed);
    ClassifierTraining training = new ClassifierTraining(settings, labels.names());
    out.requireNew();
    labels.read(err(), training::add);
    TrainedClassifier trained = training.train();
    for (String label : trained.sampled()) {
      notice("'" + label + "' has more texts than there is room for: a sample was taken");
    }
    String hash = trained.classifier().write(out.directory()).hash();
    ClassifierReport report =
        ClassifierReport.of(out.directory(), hash, trained.classifier(), trained.heldOut());
    json.write(report);
    print(report.lines());
  }
}
