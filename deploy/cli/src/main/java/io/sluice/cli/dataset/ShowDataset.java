package io.sluice.cli.dataset;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.purge.Purges;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * Shows a published dataset with every default resolved, what became of its documents, how they are
 * shuffled, and how many of its blocks are in its store.
 */
@Command(
    name = "show",
    description =
        "Show a published dataset, what became of its documents, and how they are shuffled.")
final class ShowDataset extends CliCommand {
  @Parameters(paramLabel = "NAME", description = "Name of the dataset.")
  private String name = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    DatasetSpec spec = DatasetCommand.published(access()).require(name);
    Map<String, Supply> prepared = PreparedDomains.read(access(), name);
    LedgerView ledger = LedgerView.of(spec, prepared);
    Optional<ShuffleView> shuffle = ShuffleView.of(spec, prepared);
    print(DatasetView.lines(spec));
    print(ledger.lines());
    shuffle.ifPresent(view -> print(view.lines()));
    Optional<SealedView> sealed = SealedView.of(access(), spec, prepared);
    sealed.ifPresent(view -> print(view.lines()));
    Map<String, Object> report = DatasetView.of(spec);
    report.put("ledger", ledger.domains());
    shuffle.ifPresent(view -> report.put("shuffle", view.report()));
    sealed.ifPresent(view -> report.put("sealed", view.blocks()));
    sealed
        .filter(view -> !view.waits().isEmpty())
        .ifPresent(view -> report.put("sealingWaits", view.waits()));
    json.write(report);
    new Purges(access()).note(spec.getDomains()).ifPresent(this::notice);
  }
}
