package io.sluice.cli.audit;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.options.WritableFile;
import io.sluice.cli.report.JsonReport;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.error.CheckFailedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice audit}. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description =
        "Derive a run's stream from the logs again and hold every emitted sequence against it.")
public final class AuditCommand implements Callable<Integer> {
  private final GlobalOptions global;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--run", required = true, paramLabel = "NAME", description = "The run.")
  private String run = "";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the report as JSON.")
  private @Nullable Path json;

  /** The command with its global options. */
  public AuditCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public Integer call() {
    AuditReport report = Auditor.audit(global.access(), run);
    if (json != null) {
      JsonReport.write(json, report.json());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(report.summary());
    report.unchecked().forEach(out::println);
    out.flush();
    if (!report.passed()) {
      throw new CheckFailedException(String.join(System.lineSeparator(), report.violations()));
    }
    return 0;
  }
}
