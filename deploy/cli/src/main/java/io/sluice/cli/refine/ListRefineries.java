package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the published refineries, one line each. */
@Command(name = "list", description = "List the published refineries.")
final class ListRefineries extends CliCommand {
  private static final String ROW = "%-24s %-24s %-24s %7s  %s%n";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    List<RefineSpec> all = RefineCommand.published(access()).all();
    out().printf(ROW, "REFINERY", "INPUTS", "DOMAINS", "OF THEM", "STEPS");
    all.forEach(
        spec ->
            out()
                .printf(
                    ROW,
                    spec.getName(),
                    String.join(", ", spec.getInputs()),
                    spec.getPattern(),
                    spec.getDomains().size(),
                    spec.getSteps().stream()
                        .map(RefineStep::getName)
                        .collect(Collectors.joining(", "))));
    json.write(all.stream().map(RefineView::of).toList());
  }
}
