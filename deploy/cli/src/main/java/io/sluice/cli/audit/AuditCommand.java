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
        "Derive a run's stream from the logs again and hold every emitted sequence against it.")
public final class AuditCommand extends CliCommand {
  @Option(names = "--run", required = true, paramLabel = "NAME", description = "The run.")
  private String run = "";

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    AuditReport report = Auditor.audit(access(), run);
    json.write(report.json());
    out().println(report.summary());
    print(report.unchecked());
    if (!report.passed()) {
      throw new CheckFailedException(String.join(System.lineSeparator(), report.violations()));
    }
  }
}
