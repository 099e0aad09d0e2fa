package io.sluice.cli.context;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.Contexts;
import io.sluice.cli.options.JsonFile;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the contexts, one line each. */
@Command(name = "list", description = "List the contexts; a star marks the one in use.")
final class ListContexts extends CliCommand {
  private static final String ROW = "%-2s%-24s %-16s %s%n";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Contexts contexts = global().contextFile().read();
    List<ContextView> all =
        contexts.all().values().stream()
            .map(each -> ContextView.of(each, contexts.current()))
            .toList();
    json.write(all);
    out().printf(ROW, "", "CONTEXT", "PREFIX", "KAFKA");
    for (ContextView each : all) {
      String prefix = each.prefix();
      out()
          .printf(
              ROW,
              each.current() ? "*" : "",
              each.context(),
              prefix == null ? "-" : prefix,
              each.kafka());
    }
    out().flush();
  }
}
