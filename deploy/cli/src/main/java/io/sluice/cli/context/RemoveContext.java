package io.sluice.cli.context;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.Context;
import io.sluice.cli.options.Contexts;
import io.sluice.cli.options.JsonFile;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Forgets a context. */
@Command(name = "remove", description = "Forget a context; nothing of its deployment is touched.")
final class RemoveContext extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Its name.")
  private String name = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Contexts contexts = global().contextFile().read();
    Context context = contexts.require("NAME", name);
    global().contextFile().write(contexts.without(name));
    json.write(ContextView.of(context, contexts.current()));
    print(
        List.of(
            "context "
                + context.name()
                + " is removed"
                + (contexts.current().equals(name) ? "; none is in use now" : "")));
  }
}
