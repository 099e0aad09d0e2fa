package io.sluice.cli.model;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The commands on embedders of texts. */
@Command(
    name = "embedder",
    description = "Neural embedders of yours, whose vectors clusters are made of.",
    subcommands = EmbedderImportCommand.class)
public final class EmbedderCommand extends CommandGroup {}
