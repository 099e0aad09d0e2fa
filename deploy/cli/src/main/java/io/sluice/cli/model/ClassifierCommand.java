package io.sluice.cli.model;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** {@code sluice classifier} and its subcommands. */
@Command(
    name = "classifier",
    description =
        "Classifiers of documents: of n-grams, trained from texts whose labels you know or a model"
            + " says, or neural ones of yours.",
    subcommands = {
      ClassifierLabelCommand.class,
      ClassifierTrainCommand.class,
      ClassifierImportCommand.class,
      ClassifierTestCommand.class,
      ClassifierShowCommand.class
    })
public final class ClassifierCommand extends CommandGroup {}
