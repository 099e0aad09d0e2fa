package io.sluice.lab.bench.measure;

import io.sluice.cli.options.WritableFile;
import io.sluice.cli.plot.TextTable;
import io.sluice.cli.report.JsonReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of every benchmark. */
public final class BenchOptions {
  @Option(
      names = "--quick",
      description = "Small and short: shows that it works, not how fast it is.")
  private boolean quick;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "Measurements after the warm-up. Default: 3; 1 with --quick.")
  private @Nullable Integer repeats;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "Where the broker's log is kept until the end; better not a slow disk. Default:"
              + " .sluice/bench.")
  private @Nullable Path stateDirectory;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the result as JSON.")
  private @Nullable Path json;

  public boolean quick() {
    return quick;
  }

  /** What was asked for, or else what is usual. */
  public <T> List<T> or(@Nullable List<T> asked, List<T> whenQuick, List<T> usual) {
    if (asked != null) {
      return asked;
    }
    return quick ? whenQuick : usual;
  }

  /** Says how far the command is. */
  public BenchLog log(CommandSpec command) {
    return new BenchLog(command.commandLine().getErr(), System::nanoTime);
  }

  /** Times short work. */
  public Stopwatch stopwatch() {
    return new Stopwatch(quick ? 0.05 : 1, repeats());
  }

  /** Measurements after the warm-up. */
  public int repeats() {
    return turns("--repeats", repeats);
  }

  /** How often something is done: as asked for, or 3 times; once with {@code --quick}. */
  int turns(String option, @Nullable Integer asked) {
    int turns = asked == null ? (quick ? 1 : 3) : asked;
    if (turns < 1 || turns > 100) {
      throw new IllegalArgumentException(option + " must be in [1, 100]: " + turns);
    }
    return turns;
  }

  /** Where the broker's log is kept. */
  public Path directory(Path home) {
    return stateDirectory == null ? home.resolve("bench") : stateDirectory;
  }

  /** Prints the machine and the table, and writes the JSON if it is asked for. */
  public void report(PrintWriter out, Machine machine, TextTable table, Object result) {
    out.println(machine.line());
    out.println();
    table.lines().forEach(out::println);
    out.flush();
    if (json != null) {
      JsonReport.write(json, result);
    }
  }
}
