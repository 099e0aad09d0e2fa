package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.schema.DatasetSpec;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the published datasets, one line each. */
@Command(name = "list", description = "List the published datasets.")
final class ListDatasets extends CliCommand {
  private static final String ROW = "%-24s %-16s %15s %8s  %s%n";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    List<DatasetSpec> all = DatasetCommand.published(access()).all();
    out().printf(ROW, "DATASET", "TOKENIZER", "SEQUENCE-LENGTH", "HELD-OUT", "DOMAINS");
    all.forEach(
        spec ->
            out()
                .printf(
                    ROW,
                    spec.getName(),
                    spec.getTokenizer(),
                    spec.getSequenceLength(),
                    spec.getHeldOut(),
                    String.join(", ", spec.getDomains())));
    json.write(all.stream().map(DatasetView::of).toList());
  }
}
