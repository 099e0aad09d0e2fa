package io.sluice.cli.model;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The commands on language models. */
@Command(
    name = "perplexity",
    description =
        "How difficult texts are, by a language model: of runs of words, or a neural one of yours.",
    subcommands = {PerplexityTrain.class, PerplexityImport.class, PerplexityShow.class})
public final class PerplexityCommand extends CommandGroup {}
