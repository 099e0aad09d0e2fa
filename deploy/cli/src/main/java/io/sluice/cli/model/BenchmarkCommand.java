package io.sluice.cli.model;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The commands on benchmarks' n-grams. */
@Command(
    name = "benchmark",
    description = "N-grams of benchmarks, which training documents must not have.",
    subcommands = BenchmarkIndexCommand.class)
public final class BenchmarkCommand extends CommandGroup {}
