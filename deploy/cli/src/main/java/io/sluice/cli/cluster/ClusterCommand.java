package io.sluice.cli.cluster;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** {@code sluice cluster}. */
@Command(
    name = "cluster",
    description = "Fit clusters to texts, and show them.",
    subcommands = {ClusterFitCommand.class, ClusterShowCommand.class})
public final class ClusterCommand extends CommandGroup {}
