package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.refine.classify.LinearClassifier;
import io.sluice.refine.model.ModelDirectory;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice classifier show}. */
@Command(name = "show", description = "Show a classifier's labels, size and hash.")
final class ClassifierShowCommand extends CliCommand {
  @Mixin private ClassifierModel model = new ClassifierModel();
  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    ModelDirectory directory = model.directory();
    LinearClassifier classifier = LinearClassifier.of(directory);
    ClassifierReport report =
        ClassifierReport.of(model.path(), directory.hash(), classifier, Optional.empty());
    json.write(report);
    print(report.lines());
  }
}
