package io.sluice.cli.model;

import io.sluice.refine.classify.LinearClassifier;
import io.sluice.refine.model.ModelDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which classifier a command uses. */
final class ClassifierModel {
  @Option(
      names = "--model",
      required = true,
      paramLabel = "DIR",
      description = "The directory of a classifier that 'sluice classifier train' wrote.")
  private Path path = Path.of("");

  Path path() {
    return path;
  }

  ModelDirectory directory() {
    return LinearClassifier.directory(path);
  }
}
