package io.sluice.cli.domain;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.purge.Purges;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice domain list}. */
@Command(
    name = "list",
    description = {
      "List the domains, a line for each dataset that has them.",
      "DOCUMENTS are written, PREPARED of them tokenized; SHUFFLED wait in the shuffle buffer."
          + " BLOCKS can be trained on, HELD-OUT ones evaluated, DEAD could not be used."
    })
final class ListDomains extends CliCommand {
  private static final String ROW = "%-24s %-16s %10s %-6s %10s %9s %9s %9s %7s%n";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    List<KnownDomain> all = KnownDomain.all(access());
    json.write(all.stream().map(KnownDomain::report).toList());
    out()
        .printf(
            ROW,
            "DOMAIN",
            "DATASET",
            "DOCUMENTS",
            "ENDED",
            "PREPARED",
            "SHUFFLED",
            "BLOCKS",
            "HELD-OUT",
            "DEAD");
    for (KnownDomain domain : all) {
      if (domain.datasets().isEmpty()) {
        row(domain, "-", "-", "-", "-", "-");
      }
      for (KnownDomain.Part part : domain.datasets()) {
        row(
            domain,
            part.dataset().getName(),
            part.standing().prepared(),
            part.shuffled(),
            part.standing().blocks(),
            part.standing().heldOutBlocks());
      }
    }
    out().flush();
    new Purges(access()).note().ifPresent(this::notice);
  }

  private void row(
      KnownDomain domain,
      String dataset,
      Object prepared,
      Object shuffled,
      Object blocks,
      Object heldOut) {
    out()
        .printf(
            ROW,
            domain.name(),
            dataset,
            domain.documents(),
            domain.ended() ? "yes" : "no",
            prepared,
            shuffled,
            blocks,
            heldOut,
            domain.deadLetters());
  }
}
