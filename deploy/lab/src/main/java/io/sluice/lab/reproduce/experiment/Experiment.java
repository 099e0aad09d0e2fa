package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.Library;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An experiment after a paper's: its arms for a seed, and what is measured of each. */
public interface Experiment {
  /** Name in claims and on the command line. */
  String name();

  /** How it differs from the paper's, and where its hyper-parameters are from, in sentences. */
  List<String> departures();

  /** The size of its runs. */
  Scale scale();

  /**
   * The trials of a seed, one for each setting. The arms of one that has a name are {@code
   * ARM@NAME} in claims.
   *
   * @throws io.sluice.control.error.BadInputException if the library lacks a domain
   */
  List<Trial> trials(long seed, Library library, Scale scale);

  /**
   * A trial of a seed that does not count, which ends before the others begin: what settings and
   * mixtures of theirs are chosen by. Its outcomes are {@link
   * io.sluice.lab.reproduce.arm.Outcomes#tuning}. Its arms are not judged, and may be shorter.
   */
  default Optional<Trial> tuning(Library library, Scale scale) {
    return Optional.empty();
  }

  /**
   * What claims compare of an arm's run, by name: of its weights, what it was trained on, its
   * held-out losses. What cannot be told is left out.
   */
  Map<String, Double> measures(Judged judged);

  /** What claims compare of an arm's test, by name. It may ask for nothing else of its outcome. */
  Map<String, Double> tested(Judged judged);
}
