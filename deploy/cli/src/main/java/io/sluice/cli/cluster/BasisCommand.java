package io.sluice.cli.cluster;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** {@code sluice basis}. */
@Command(
    name = "basis",
    description = "Make topics that each follow a distribution over clusters, and show them.",
    subcommands = {BasisFitCommand.class, BasisShowCommand.class})
public final class BasisCommand extends CommandGroup {}
