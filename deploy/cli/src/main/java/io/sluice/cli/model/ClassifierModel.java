package io.sluice.cli.model;

import io.sluice.refine.model.ModelDirectory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which classifier a command uses. */
final class ClassifierModel {
  @Option(
      names = "--model",
      required = true,
      paramLabel = "DIR",
      description = "The directory of a classifier that 'classifier train' or 'import' wrote.")
  private Path path = Path.of("");

  Path path() {
    return path;
  }

  ModelDirectory directory() {
    return ModelDirectory.open(path, ModelDirectory.LARGEST);
  }
}
