package io.sluice.cli.simulate;

import io.sluice.cli.options.WritableFile;
import io.sluice.cli.plot.MixtureFigure;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that the weights and losses of several policies go to. */
final class CourseFiles {
  @Option(
      names = "--csv",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write weights and losses of every round as CSV.")
  private @Nullable Path csv;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Draw weights and losses of every policy as SVG.")
  private @Nullable Path svg;

  /** Writes those that were asked for. */
  void write(String title, List<String> domains, List<Course> courses) {
    if (csv != null) {
      CourseCsv.write(csv, domains, courses);
    }
    if (svg != null) {
      MixtureFigure.of(title, domains, courses.stream().map(Course::drawn).toList()).write(svg);
    }
  }

  boolean asked() {
    return csv != null || svg != null;
  }
}
