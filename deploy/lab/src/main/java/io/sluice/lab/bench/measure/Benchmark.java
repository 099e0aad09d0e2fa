package io.sluice.lab.bench.measure;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.plot.TextTable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every benchmark has: its options, and how it reports. */
public abstract class Benchmark extends CliCommand {
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

  @Mixin private JsonFile json = new JsonFile();

  /** Whether it only shows that it works. */
  protected final boolean quick() {
    return quick;
  }

  /** What was asked for, or else what is usual. */
  protected final <T> List<T> or(@Nullable List<T> asked, List<T> whenQuick, List<T> usual) {
    if (asked != null) {
      return asked;
    }
    return quick ? whenQuick : usual;
  }

  /** Says how far the command is. */
  protected final BenchLog log() {
    return new BenchLog(err(), System::nanoTime);
  }

  /** Times short work. */
  protected final Stopwatch stopwatch() {
    return new Stopwatch(quick ? 0.05 : 1, repeats());
  }

  /** Measurements after the warm-up. */
  protected final int repeats() {
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
  protected final Path directory() {
    return stateDirectory == null ? global().home().resolve("bench") : stateDirectory;
  }

  /** Prints the machine and a table, and writes the JSON if it is asked for. */
  protected final void report(
      Machine machine, List<String> head, List<List<String>> rows, Object result) {
    TextTable table = new TextTable(head);
    rows.forEach(table::add);
    out().println(machine.line());
    out().println();
    print(table.lines());
    json.write(result);
  }
}
