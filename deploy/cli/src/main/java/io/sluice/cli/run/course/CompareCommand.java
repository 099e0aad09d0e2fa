package io.sluice.cli.run.course;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.WritableFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice run compare}. */
@Command(
    name = "compare",
    description =
        "Set two runs side by side: how their specifications differ, their weights and held-out"
            + " losses at the steps that both measured, their tokens, and why their losses cannot be"
            + " compared, if so. Of a run that was rewound, what stands.")
public final class CompareCommand extends CliCommand {
  @Parameters(index = "0", paramLabel = "A", description = "The name of a run.")
  private String first = "";

  @Parameters(index = "1", paramLabel = "B", description = "The name of another.")
  private String second = "";

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Draw weights and losses of both as SVG.")
  private @Nullable Path svg;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    RunComparison comparison =
        new RunComparison(ComparedRun.read(access(), first), ComparedRun.read(access(), second));
    CompareReport report = CompareReport.of(comparison);
    if (svg != null) {
      comparison.figure().write(svg);
    }
    json.write(report.json());
    print(report.lines());
  }
}
