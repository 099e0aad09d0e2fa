package io.sluice.cli.dataset;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.report.JsonReport;
import io.sluice.schema.DatasetSpec;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the published datasets, one line each. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List the published datasets.")
final class ListDatasets implements Runnable {
  private static final String ROW = "%-24s %-16s %15s %8s  %s%n";

  private final GlobalOptions global;

  @Spec private CommandSpec command = CommandSpec.create();

  @Option(names = "--json", paramLabel = "FILE", description = "Also write the list as JSON.")
  private @Nullable Path json;

  ListDatasets(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public void run() {
    List<DatasetSpec> all = DatasetCommand.catalog(global.access()).all();
    PrintWriter out = command.commandLine().getOut();
    out.printf(ROW, "DATASET", "TOKENIZER", "SEQUENCE-LENGTH", "HELD-OUT", "DOMAINS");
    all.forEach(
        spec ->
            out.printf(
                ROW,
                spec.getName(),
                spec.getTokenizer(),
                spec.getSequenceLength(),
                spec.getHeldOut(),
                String.join(", ", spec.getDomains())));
    if (json != null) {
      JsonReport.write(json, all.stream().map(DatasetView::of).toList());
    }
  }
}
