package io.sluice.cli.domain;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** The commands on dead letters. */
@Command(
    name = "deadletter",
    description = "Dead letters: what could not be used, and why.",
    subcommands = {
      ListDeadLetters.class,
      ShowDeadLetter.class,
      RetryDeadLetters.class,
      DropDeadLetters.class
    })
public final class DeadLettersCommand extends CommandGroup {}
