package io.sluice.lab.reproduce;

import ai.djl.Device;
import io.sluice.cli.options.CliCommand;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.djl.model.TorchRuntime;
import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.claim.Results;
import io.sluice.lab.reproduce.corpus.DebianLibrary;
import io.sluice.lab.reproduce.corpus.Library;
import io.sluice.lab.reproduce.corpus.ProjectLibrary;
import io.sluice.lab.reproduce.experiment.Experiment;
import io.sluice.lab.reproduce.experiment.Experiments;
import io.sluice.lab.reproduce.report.Report;
import io.sluice.lab.reproduce.report.ReportFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice reproduce}. */
@Command(
    name = "reproduce",
    description =
        "Run the papers' experiments on real models, and say which of their claims hold: each arm is"
            + " a run of the service with a trainer of its own, at equal tokens, initial parameters"
            + " and order within each domain, and its stream is audited. What has ended is kept: the"
            + " same command goes on where it was.")
public final class ReproduceCommand extends CliCommand {
  private static final int QUICK_SEEDS = 5;
  private static final int FULL_SEEDS = 10;

  @Parameters(
      paramLabel = "EXPERIMENT",
      arity = "1..*",
      description = "velocitune, dga, dga-dist, syne, syne-synthetic, ordering, policies, or all.")
  private List<String> experiments = List.of();

  @Option(names = "--quick", description = "5 seeds; the default.")
  private boolean quick;

  @Option(names = "--full", description = "10 seeds: some two hours for all. Default: 5 seeds.")
  private boolean full;

  @Option(names = "--seeds", paramLabel = "N", description = "Seeds, 1 to 1000.")
  private @Nullable Integer seeds;

  @Option(
      names = "--longer",
      paramLabel = "N",
      description = "Arms of N times the tokens, 1 to 100. Default: ${DEFAULT-VALUE}.")
  private int longer = 1;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where everything is kept, and the report is written. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("reproduction");

  @Option(
      names = "--corpora",
      paramLabel = "NAME",
      description =
          "debian: texts of pinned packages, by apt-get download; project: this project's own files,"
              + " which are few. Default: ${DEFAULT-VALUE}.")
  private String corpora = "debian";

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "cpu, gpu0, gpu1, … Default: ${DEFAULT-VALUE}.")
  private String device = "cpu";

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Arms that run at a time, 1 to 64. Default: one for each processor.")
  private @Nullable Integer workers;

  @Override
  public void run() {
    if (quick && full) {
      throw misused("--quick and --full exclude each other");
    }
    List<Experiment> chosen = Experiments.named(experiments);
    Path directory = out.toAbsolutePath();
    Library library = library(directory);
    ReproductionSettings settings = settings(directory);
    requireDevice();
    Claims claims = Claims.ofPapers();
    Results.Builder results = Results.builder();
    Map<String, List<String>> departures = new TreeMap<>();
    long begun = System.nanoTime();
    try {
      for (Experiment each : chosen) {
        departures.put(each.name(), each.departures());
        new Reproduction(each, settings, library, claims, this::say, System::nanoTime).run(results);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted; the same command goes on where it was", e);
    }
    Report report =
        Report.of(
            form() + ", " + library.name(),
            claims,
            results.build(),
            departures,
            environment((System.nanoTime() - begun) / 1e9));
    ReportFiles.write(report, directory);
    say("report: " + directory.resolve(ReportFiles.MARKDOWN));
  }

  private String form() {
    String form = full ? "full" : "quick";
    return longer == 1 ? form : form + " × " + longer;
  }

  private Library library(Path directory) {
    return switch (corpora) {
      case "debian" -> new DebianLibrary(directory.resolve("corpora"), this::say);
      case "project" -> new ProjectLibrary(Path.of(System.getProperty("sluice.project", ".")));
      default ->
          throw new BadInputException("--corpora must be debian or project: '" + corpora + "'");
    };
  }

  private ReproductionSettings settings(Path directory) {
    int asked = seeds != null ? seeds : full ? FULL_SEEDS : QUICK_SEEDS;
    int some = workers != null ? workers : Runtime.getRuntime().availableProcessors();
    requireRange("--seeds", asked, 1000);
    requireRange("--longer", longer, 100);
    requireRange("--workers", some, 64);
    return new ReproductionSettings(asked, longer, directory, device, some);
  }

  private void requireDevice() {
    try {
      Device named = TorchRuntime.device(device);
      TorchRuntime.require(TorchRuntime.start(0), named);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--" + e.getMessage(), e);
    }
  }

  private static void requireRange(String key, int value, int most) {
    if (value < 1 || value > most) {
      throw new BadInputException(key + " must be in [1, " + most + "]: " + value);
    }
  }

  private static Map<String, String> environment(double seconds) {
    return Map.of(
        "duration",
        String.format(Locale.ROOT, "%.0f s, without what had ended before this call", seconds),
        "processors",
        Integer.toString(Runtime.getRuntime().availableProcessors()),
        "java",
        System.getProperty("java.version"),
        "machine",
        System.getProperty("os.name") + " " + System.getProperty("os.arch") + processor());
  }

  /** On another one the last bits of a sum are others, and in the end a few arms are. */
  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name") || line.startsWith("flags"))
          .limit(2)
          .map(line -> line.contains("avx512f") ? " with AVX-512" : named(line))
          .collect(Collectors.joining());
    } catch (IOException | UncheckedIOException e) {
      return "";
    }
  }

  private static String named(String line) {
    return line.startsWith("model name")
        ? ", " + line.substring(line.indexOf(':') + 1).strip()
        : "";
  }

  private synchronized void say(String line) {
    out().println(line);
    out().flush();
  }
}
