package io.sluice.cli.model;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The commands on models of n-grams. */
@Command(
    name = "perplexity",
    description = "How difficult texts are, by a language model of runs of words.",
    subcommands = {PerplexityTrain.class, PerplexityShow.class})
public final class PerplexityCommand extends CommandGroup {}
