package io.sluice.cli.targets;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.WritableFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.targets.DemoReportFile;
import io.sluice.control.targets.LossCsv;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.control.targets.TargetFits;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice fit-targets}. */
@Command(
    name = "fit-targets",
    description = {
      "Fit a scaling law to each domain's held-out losses and say what loss to expect.",
      "FILE is a demo's --json file, or CSV with the columns tokens, domain and loss."
    })
public final class FitTargetsCommand extends CliCommand {
  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  /** Where the losses come from. */
  private static final class Source {
    @Option(names = "--run", paramLabel = "NAME", description = "A run, by its feedback.")
    private @Nullable String run;

    @Parameters(paramLabel = "FILE", description = "A file of losses.")
    private @Nullable Path file;
  }

  @Option(
      names = "--at",
      paramLabel = "TOKENS",
      description =
          "Tokens that the targets are for. Default: those of the whole run, if it has an end.")
  private @Nullable Double at;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Draw points, fit and extrapolation as SVG.")
  private @Nullable Path svg;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (at != null && !(at > 0 && at <= Double.MAX_VALUE)) {
      throw new BadInputException("--at must be a finite number of tokens above 0: " + at);
    }
    LossHistory history = history();
    TargetReport report =
        new TargetReport(name(), history, TargetFits.of(history, tokens(history)));
    if (svg != null) {
      report.figure().write(svg);
    }
    json.write(report.json());
    print(report.lines());
  }

  private LossHistory history() {
    if (source.run != null) {
      return RunLosses.read(access(), source.run);
    }
    Path file = file();
    boolean csv = file.toString().toLowerCase(Locale.ROOT).endsWith(".csv");
    return csv ? LossCsv.read(file) : DemoReportFile.read("FILE", file);
  }

  private double tokens(LossHistory history) {
    return at != null
        ? at
        : history
            .plannedTokens()
            .orElseThrow(
                () ->
                    new BadInputException(
                        "--at must be given, because " + name() + " does not say when it ends"));
  }

  private String name() {
    return source.run != null ? source.run : file().getFileName().toString();
  }

  private Path file() {
    if (source.file == null) {
      throw new IllegalStateException("neither --run nor FILE");
    }
    return source.file;
  }
}
