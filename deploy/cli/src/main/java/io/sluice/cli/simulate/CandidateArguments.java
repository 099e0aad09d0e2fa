package io.sluice.cli.simulate;

import io.sluice.control.error.BadInputException;
import io.sluice.control.runs.RunFile;
import io.sluice.control.targets.TargetSources;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Comparison;
import io.sluice.mixture.simulate.scenario.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The policies named on the command line. */
final class CandidateArguments {
  private static final String SMOOTHING = "smoothing.";

  private CandidateArguments() {}

  /**
   * A candidate for each argument like {@code dga} or {@code dga:beta=1:smoothing.floor=0.1};
   * 'static' and 'oracle', which every comparison has, are left out.
   *
   * @param shared settings of every policy, which its own come before
   * @throws BadInputException if one is not written like that, is no policy, or is named twice
   */
  static List<Candidate> parse(List<String> arguments, Map<String, String> shared) {
    Map<String, Candidate> candidates = new LinkedHashMap<>();
    for (String argument : arguments) {
      Candidate candidate = parse(argument, shared);
      if (candidates.put(argument, candidate) != null) {
        throw new BadInputException(
            "--policy must name each policy once: '" + argument + "' twice");
      }
    }
    candidates.remove(Comparison.STATIC);
    candidates.remove(Comparison.ORACLE);
    return new ArrayList<>(candidates.values());
  }

  /**
   * The candidate that a run's file describes, by the run's name.
   *
   * @throws BadInputException if the file is no run's, or its targets are another run's
   */
  static Candidate ofRun(Path file, Scenario scenario) {
    RunFile run = RunFile.read(file, dataset -> scenario.tokensPerSequence());
    TargetSources sources =
        new TargetSources(
            named -> {
              throw new BadInputException(
                  "targets must be given as losses, a file or a fraction to be simulated: from-run "
                      + named);
            },
            OptionalDouble.of(scenario.totalTokens() * 1e9),
            said -> {});
    return new Candidate(
        run.run(),
        run.policy(),
        sources.resolve(run.policySettings(), scenario.domains()),
        run.smoothing());
  }

  private static Candidate parse(String argument, Map<String, String> shared) {
    String[] parts = argument.strip().split(":", -1);
    Map<String, String> settings = new TreeMap<>(shared);
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw new BadInputException(
            "--policy must be NAME or NAME:key=value[:key=value…]: '" + argument + "'");
      }
      settings.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
    }
    boolean known = Policies.names().contains(parts[0]) || parts[0].equals(Comparison.ORACLE);
    if (!known) {
      throw new BadInputException(
          "--policy must be one of " + Policies.names() + ": '" + parts[0] + "'");
    }
    Map<String, String> own = new TreeMap<>();
    Map<String, String> guards = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(SMOOTHING)) {
            guards.put(key.substring(SMOOTHING.length()), value);
          } else {
            own.put(key, value);
          }
        });
    return new Candidate(argument.strip(), parts[0], own, guards);
  }
}
