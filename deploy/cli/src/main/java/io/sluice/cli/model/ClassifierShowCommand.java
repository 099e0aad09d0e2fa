package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.model.Models;
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
    TextClassifier classifier = Models.of(directory, TextClassifier.class);
    ClassifierReport report =
        ClassifierReport.of(model.path(), directory.hash(), classifier, Optional.empty());
    json.write(report);
    print(report.lines());
  }
}
