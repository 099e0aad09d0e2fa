package io.sluice.cli.context;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.Context;
import io.sluice.cli.options.Contexts;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows a context. */
@Command(name = "show", description = "Show a context.")
final class ShowContext extends CliCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "Its name. Default: the one that holds here.")
  private @Nullable String name;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Contexts contexts = global().contextFile().read();
    String asked = name;
    Context context =
        asked == null
            ? global()
                .context()
                .orElseThrow(
                    () ->
                        new BadInputException(
                            "NAME must be given where no context holds: one of "
                                + contexts.all().keySet()))
            : contexts.require("NAME", asked);
    ContextView view = ContextView.of(context, contexts.current());
    json.write(view);
    print(view.lines());
  }
}
