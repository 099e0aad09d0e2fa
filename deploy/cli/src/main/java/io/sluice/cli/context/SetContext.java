package io.sluice.cli.context;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.Context;
import io.sluice.cli.options.Contexts;
import io.sluice.cli.options.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Makes a context, or changes what is given of one. */
@Command(
    name = "set",
    description =
        "Make a context of what --kafka, --prefix, --kafka-config and --plugins say, or change that"
            + " of it. Files stay where they are: the context has their paths.")
final class SetContext extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Its name: 1 to 63 letters, digits, '_' or '-'.")
  private String name = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Contexts contexts = global().contextFile().read();
    Context context = global().given(name, contexts.find(name));
    global().contextFile().write(contexts.with(context));
    ContextView view = ContextView.of(context, contexts.current());
    json.write(view);
    print(view.lines());
    if (contexts.current().isEmpty()) {
      notice("'sluice context use " + name + "' makes it the one that holds");
    }
  }
}
