package io.sluice.cli.context;

import io.sluice.cli.options.CommandGroup;
import picocli.CommandLine.Command;

/** {@code sluice context}. */
@Command(
    name = "context",
    description =
        "Contexts: names of your own for the brokers, the prefix, the client settings and the"
            + " plugins of a deployment. They are in sluice/contexts.yaml below $XDG_CONFIG_HOME or"
            + " ~/.config.",
    subcommands = {
      ListContexts.class,
      RemoveContext.class,
      SetContext.class,
      ShowContext.class,
      UseContext.class
    })
public final class ContextCommand extends CommandGroup {}
