package io.sluice.cli.simulate;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.targets.DemoReportFile;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Comparison;
import io.sluice.mixture.simulate.Proposals;
import io.sluice.mixture.simulate.SeedComparison;
import io.sluice.mixture.simulate.Variations;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice simulate}. */
@Command(
    name = "simulate",
    description =
        "Compare policies on a scenario whose learners are known, or on the losses of a demo;"
            + " nothing is trained and no Kafka is needed.")
public final class SimulateCommand extends CliCommand {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int MOST_RUNS = 10_000;

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "P[:key=value…]",
      description =
          "Policies, each with settings of its own: --policy velocitune,dga:beta=1. The static"
              + " mixture, the oracle, and each policy's average weights are always there.")
  private List<String> policies = List.of();

  @Option(
      names = "--run-file",
      paramLabel = "FILE",
      description = "A run's file, whose policy and smoothing are taken; may be repeated.")
  private List<Path> runFiles = List.of();

  @Option(
      names = "--external",
      paramLabel = "COMMAND",
      description =
          "The program that proposes weights to the policy external: for each round it reads a line"
              + " of JSON with step, weights and eval_loss, and answers with one with weights.")
  private @Nullable String external;

  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  /** What the policies are run against. */
  private static final class Source {
    @Option(
        names = "--scenario",
        paramLabel = "NAME",
        description =
            "A scenario: reasoning, system-stack, low-data, syne, bilingual or known-mixture.")
    private @Nullable String scenario;

    @Option(
        names = "--feedback",
        paramLabel = "FILE",
        description = "A demo's --json file, whose losses are replayed (open loop).")
    private @Nullable Path feedback;
  }

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Batches that the scenario's tokens come in. Default: the scenario's.")
  private @Nullable Long steps;

  @Option(
      names = "--every",
      paramLabel = "N",
      description = "Batches between two rounds. Default: the scenario's.")
  private @Nullable Long every;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Seed of the learners and of the measurements' noise. Default: ${DEFAULT-VALUE}.")
  private long seed = 7;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description =
          "Run with the seeds 1 to N, 2 to 10000, and print means with their standard errors, and how"
              + " far each loss is above that of static and of the first policy, with"
              + " intervals of level 0.95.")
  private @Nullable Integer seeds;

  @Option(
      names = "--vary",
      paramLabel = "DRAWS",
      arity = "0..1",
      fallbackValue = "50",
      description =
          "Change what is invented in the scenario: each of it by 1/2 and 2, then all of it at"
              + " once in so many scenarios, 0 to 10000; print how often which policy has the lower"
              + " loss. Without a number 50.")
  private @Nullable Integer vary;

  @Option(
      names = "--set",
      paramLabel = "key=value",
      description =
          "A setting of every policy named, such as eta=2 or smoothing.new-weight=0.5; may be"
              + " repeated.")
  private Map<String, String> settings = new TreeMap<>();

  @Mixin private CourseFiles files = new CourseFiles();
  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (policies.isEmpty() && runFiles.isEmpty()) {
      throw new BadInputException("--policy or --run-file must be given: neither is");
    }
    List<Candidate> candidates = CandidateArguments.parse(policies, settings);
    if (source.feedback != null) {
      replay(source.feedback, candidates);
    } else if (source.scenario != null) {
      Scenario scenario = sized(Scenarios.named(source.scenario));
      runFiles.forEach(file -> candidates.add(CandidateArguments.ofRun(file, scenario)));
      if (vary != null) {
        overVariations(scenario, candidates, vary);
      } else if (seeds != null) {
        overSeeds(scenario, candidates, seeds);
      } else {
        compare(scenario, candidates);
      }
    }
  }

  private void overVariations(Scenario scenario, List<Candidate> candidates, int draws) {
    requireMany("--vary", draws, 0, candidates);
    if (seeds != null) {
      throw new BadInputException("--seeds must be absent with --vary: it is " + seeds);
    }
    VariationReport report =
        new VariationReport(
            Variations.of(scenario, candidates, draws, seed, () -> proposals(scenario)), seed);
    json.write(report.json());
    print(report.lines());
  }

  private void overSeeds(Scenario scenario, List<Candidate> candidates, int count) {
    requireMany("--seeds", count, 2, candidates);
    SeedReport report =
        new SeedReport(SeedComparison.of(scenario, candidates, count, () -> proposals(scenario)));
    json.write(report.json());
    print(report.lines());
  }

  private void requireMany(String option, int count, int least, List<Candidate> candidates) {
    if (count < least || count > MOST_RUNS) {
      throw new BadInputException(
          option + " must be in [" + least + ", " + MOST_RUNS + "]: " + count);
    }
    if (files.asked()) {
      throw new BadInputException(
          "--csv and --svg must be absent with " + option + ": they show one run");
    }
    if (candidates.isEmpty()) {
      throw new BadInputException(
          "--policy must name one besides static with " + option + ": none is");
    }
  }

  private Scenario sized(Scenario scenario) {
    if (steps == null && every == null) {
      return scenario;
    }
    long batches = steps == null ? scenario.batches() : steps;
    long rounds = every == null ? Math.min(scenario.updateEvery(), batches) : every;
    return scenario.inSteps(batches, rounds);
  }

  private void compare(Scenario scenario, List<Candidate> candidates) {
    ComparisonReport report =
        new ComparisonReport(
            Comparison.of(scenario, candidates, seed, () -> proposals(scenario)), seed);
    files.write(report.title(), scenario.domains(), report.courses());
    json.write(report.json());
    print(report.lines());
  }

  private Proposals proposals(Scenario scenario) {
    return external == null
        ? Proposals.NONE
        : ProposalProcess.start(external, scenario.domains(), PATIENCE);
  }

  private void replay(Path file, List<Candidate> candidates) {
    if (!runFiles.isEmpty()) {
      throw new BadInputException("--run-file must come with --scenario: " + runFiles);
    }
    if (steps != null || every != null || seeds != null || vary != null) {
      throw new BadInputException(
          "--steps, --every, --seeds and --vary must be absent with --feedback, whose rounds and losses are"
              + " those of "
              + file);
    }
    ReplayReport report =
        ReplayReport.of(
            file.getFileName().toString(), DemoReportFile.read("--feedback", file), candidates);
    files.write(report.title(), report.history().domains(), report.courses());
    json.write(report.json());
    print(report.lines());
  }
}
