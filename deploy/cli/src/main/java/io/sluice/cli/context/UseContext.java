package io.sluice.cli.context;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.Context;
import io.sluice.cli.options.Contexts;
import io.sluice.cli.options.JsonFile;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Chooses the context that holds from now on. */
@Command(
    name = "use",
    description =
        "Choose the context that holds from now on, unless an option or the environment names"
            + " brokers or a context.")
final class UseContext extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Contexts contexts = global().contextFile().read();
    Context context = contexts.require("NAME", name);
    global().contextFile().write(contexts.using(name));
    json.write(ContextView.of(context, name));
    print(List.of("context " + name + " is in use: " + context.kafka()));
  }
}
