package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.refine.classify.ClassifierCheck;
import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.model.Models;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice classifier test}. */
@Command(
    name = "test",
    description =
        "Measure a classifier with texts whose labels are known, and that it has not seen.")
final class ClassifierTestCommand extends CliCommand {
  @Mixin private ClassifierModel model = new ClassifierModel();
  @Mixin private ClassifierLabels labels = new ClassifierLabels();
  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    ModelDirectory directory = model.directory();
    TextClassifier classifier = Models.of(directory, TextClassifier.class);
    ClassifierCheck check = new ClassifierCheck(classifier);
    labels.names().forEach(check::label);
    labels.read(err(), check::add);
    ClassifierReport report =
        ClassifierReport.of(
            model.path(), directory.hash(), classifier, Optional.of(check.evaluation()));
    json.write(report);
    print(report.lines());
  }
}
