package io.sluice.lab.reproduce.experiment;

import io.sluice.control.error.BadInputException;
import java.util.List;
import java.util.stream.Stream;

/** All experiments. */
public final class Experiments {
  private static final String EVERY = "all";
  private static final List<Experiment> ALL =
      List.of(
          new VelocituneExperiment(),
          new DgaExperiment(),
          new DgaDistributionExperiment(),
          new SyneExperiment(),
          new SyneSyntheticExperiment(),
          new OrderingExperiment(),
          new PoliciesExperiment());

  private Experiments() {}

  /**
   * Those of some names, or all; each once.
   *
   * @throws BadInputException naming those there are
   */
  public static List<Experiment> named(List<String> names) {
    List<String> known =
        Stream.concat(ALL.stream().map(Experiment::name), Stream.of(EVERY)).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new BadInputException("EXPERIMENT must be one of " + known + ": '" + name + "'");
      }
    }
    return ALL.stream()
        .filter(each -> names.contains(EVERY) || names.contains(each.name()))
        .toList();
  }
}
