package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.schema.DatasetSpec;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows a published dataset with every default resolved, and what became of its documents. */
@Command(name = "show", description = "Show a published dataset, and what became of its documents.")
final class ShowDataset extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Name of the dataset.")
  private String name = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    DatasetSpec spec = DatasetCommand.catalog(access()).require(name);
    LedgerView ledger = LedgerView.of(spec, PreparedDomains.read(access(), name));
    print(DatasetView.lines(spec));
    print(ledger.lines());
    Map<String, Object> report = DatasetView.of(spec);
    report.put("ledger", ledger.domains());
    json.write(report);
  }
}
