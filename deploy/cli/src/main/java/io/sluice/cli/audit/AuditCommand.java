package io.sluice.cli.audit;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.error.CheckFailedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice audit}. */
@Command(
    name = "audit",
    description =
        "Derive a run's stream from the logs again and hold every emitted sequence against it, and"
            + " what its ranks said that they read.")
public final class AuditCommand extends CliCommand {
  @Option(names = "--run", required = true, paramLabel = "NAME", description = "The run.")
  private String run = "";

  @Option(
      names = "--deep",
      description =
          "Of a run with delivery: derived, read every row of its dataset's segments, too, and hold"
              + " it against its hash.")
  private boolean deep;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    AuditReport report = audit();
    json.write(report.json());
    out().println(report.summary());
    print(report.unchecked());
    if (!report.passed()) {
      throw new CheckFailedException(String.join(System.lineSeparator(), report.violations()));
    }
  }

  private AuditReport audit() {
    try (FetchedObjects fetched = FetchedObjects.in(global().home(), this::notice)) {
      return Auditor.audit(access(), run, fetched, deep);
    }
  }
}
