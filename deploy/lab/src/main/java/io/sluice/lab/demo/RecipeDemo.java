package io.sluice.lab.demo;

import io.sluice.lab.demo.recipe.RecipePage;
import io.sluice.lab.demo.recipe.RecipePlayer;
import io.sluice.lab.demo.recipe.RecipeReport;
import io.sluice.lab.demo.recipe.Shell;
import io.sluice.lab.demo.recipe.Workshop;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import io.sluice.service.local.StopSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A page of the documentation gone through from its first line to its last, on a service of its
 * own.
 *
 * @param project folder of the sources
 * @param launcher the command that lines name
 * @param stateDirectory is emptied, then holds the service and the folder that lines are typed in
 * @param port of the broker; 0 for any free one
 */
record RecipeDemo(
    RecipePage page, Path project, Path launcher, Path stateDirectory, int port, PrintWriter out) {
  private static final Duration LINE = Duration.ofMinutes(10);
  private static final Duration STOP = Duration.ofSeconds(40);
  private static final Set<String> OPTIONS =
      Set.of("--recipe", "--state-dir", "--port", "--json", "--debug");
  private static final LongSupplier CLOCK = System::nanoTime;

  /** Processes that lines begin know no other directory. */
  RecipeDemo {
    stateDirectory = stateDirectory.toAbsolutePath().normalize();
  }

  /** Names of the options that a command was given and that would be without effect. */
  static List<String> idle(CommandSpec command) {
    return Stream.of(command, command.root())
        .flatMap(each -> each.commandLine().getParseResult().matchedOptions().stream())
        .map(OptionSpec::longestName)
        .filter(name -> !OPTIONS.contains(name))
        .distinct()
        .toList();
  }

  /**
   * Goes through it, and prints what came of it.
   *
   * @return what came of it; empty if the process is to end before
   * @throws io.sluice.control.error.CommandException if something it needs is missing, or a line
   *     fails
   */
  Optional<RecipeReport> run() {
    try (StopSignal signal = StopSignal.install(STOP)) {
      try {
        return Optional.of(play());
      } catch (InterruptedException stopped) {
        print("stopped");
      } catch (RuntimeException e) {
        // What was under way when the signal came ends with whatever an interrupt makes of it.
        if (!signal.isGiven()) {
          throw e;
        }
        print("stopped");
      }
      return Optional.empty();
    }
  }

  private RecipeReport play() throws InterruptedException {
    StateDirectory.empty(stateDirectory);
    Path folder = stateDirectory.resolve("work");
    Workshop workshop = Workshop.make(project, launcher, folder);
    long start = CLOCK.getAsLong();
    LocalSettings settings = LocalSettings.in(stateDirectory.resolve("service")).withPort(port);
    try (LocalService service = LocalService.start(settings, event -> say(start, event))) {
      // What is said of another deployment is not of this one; an empty variable says nothing.
      Map<String, String> environment =
          Map.of(
              "SLUICE_KAFKA", service.access().bootstrapServers(),
              "SLUICE_PREFIX", "",
              "SLUICE_KAFKA_CONFIG", "",
              "SLUICE_HOME", stateDirectory.resolve("home").toString(),
              "JAVA_HOME", System.getProperty("java.home"));
      Shell shell = new Shell(folder, environment, LINE, line -> print("    " + line));
      RecipeReport report =
          new RecipePlayer(workshop, shell, CLOCK, event -> say(start, event)).play(page);
      report.summary(folder).forEach(this::print);
      return report;
    }
  }

  private void say(long start, String what) {
    double seconds = (CLOCK.getAsLong() - start) / 1e9;
    print(String.format(Locale.ROOT, "[%6.1f s] %s", seconds, what));
  }

  private void print(String line) {
    out.println(line);
    out.flush();
  }
}
