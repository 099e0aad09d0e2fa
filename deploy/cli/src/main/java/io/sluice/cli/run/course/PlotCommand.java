package io.sluice.cli.run.course;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.WritableFile;
import io.sluice.control.history.RunHistory;
import io.sluice.control.targets.RunLosses;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice run plot}. */
@Command(
    name = "plot",
    description =
        "Draw a run's weights over its batches, and the held-out losses that its trainers"
            + " reported. Of a run that was rewound, what stands.")
public final class PlotCommand extends CliCommand {
  @Parameters(paramLabel = "RUN", description = "Its name.")
  private String run = "";

  @Option(
      names = "--svg",
      required = true,
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Where to draw, as SVG.")
  private Path svg = Path.of("");

  @Mixin private JsonFile json = new JsonFile();

  /** What was drawn, and where. */
  private record Drawn(String run, String summary, String svg) {}

  @Override
  public void run() {
    RunHistory history = RunHistory.read(access(), run);
    RunCourse course = RunCourse.of(history, RunLosses.read(access(), run));
    course.figure().write(svg);
    json.write(new Drawn(run, course.summary(), svg.toString()));
    print(List.of(course.summary() + ": " + svg));
  }
}
