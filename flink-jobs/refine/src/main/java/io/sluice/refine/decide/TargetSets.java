package io.sluice.refine.decide;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.targets.Side;
import io.sluice.refine.targets.Sides;
import io.sluice.refine.targets.TargetTwins;
import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.Twin;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Target sets in two domains each: one that steers the mixture and one that tests what it came to.
 * A target document that is like one before is on its side, and is known itself, so that chains of
 * such are on one side. Training documents that are like any of them are left out, and so is a
 * target document once one like it is in training. Which twins there are depends on the order, in
 * which target sets are the first inputs.
 */
final class TargetSets {
  /** Why a training document is left out. */
  static final String OF_TARGET = "duplicate of a target";

  /** Why a target document is left out. */
  static final String TRAINED = "target in training";

  /** The place of a side in the name of its domain. */
  private static final String SIDE = "side";

  private final List<String> domains;
  private final Sides sides;
  private final TargetTwins twins;

  /** What becomes of a target document: it goes to a domain, or has a twin in training. */
  sealed interface Verdict {
    record Goes(String domain) implements Verdict {}

    record Trained(Twin twin) implements Verdict {}
  }

  private TargetSets(RefineStep step, TargetTwins twins) {
    this.domains = sides(step);
    this.sides = new Sides(StepSettings.large(step, "seed"), StepSettings.number(step, "tests"));
    this.twins = twins;
  }

  /** Those of a specification, if it has some. */
  static Optional<TargetSets> of(RefineSpec spec, Optional<TargetTwins> twins) {
    return StepSettings.find(spec, StepNames.TARGETS)
        .map(step -> new TargetSets(step, twins.orElseThrow()));
  }

  /**
   * The domains of the sides of target sets: of each, the one that steers, and the one that tests.
   *
   * @throws BadInputException if their names do not tell them apart
   */
  static List<String> sides(RefineStep step) {
    DomainPattern into = new DomainPattern(StepSettings.text(step, "into"));
    if (!into.places().equals(Set.of(DomainPattern.INPUT, SIDE))) {
      throw new BadInputException(
          "targets.into must have {input} and {side}: found " + into.places());
    }
    List<String> domains = new ArrayList<>();
    for (String input : StepSettings.targetDomains(step)) {
      for (String side : List.of("steers", "tests")) {
        domains.add(into.name(place -> place.equals(SIDE) ? side : input));
      }
    }
    return domains;
  }

  /** Whether an input is a target set. */
  boolean has(int input) {
    return 2 * input < domains.size();
  }

  /** Decides on a target document. */
  Verdict add(int input, long offset, Signature signature) {
    Optional<Twin> trained = twins.trained(signature);
    if (trained.isPresent()) {
      return new Verdict.Trained(trained.get());
    }
    Optional<Twin> first = twins.target(signature);
    int side =
        first
            .map(twin -> twin.place().domain() % 2)
            .orElseGet(() -> sides.of(signature) == Side.TESTS ? 1 : 0);
    int domain = 2 * input + side;
    if (!first.map(Twin::exact).orElse(false)) {
      twins.add(new DocumentPlace(domain, offset), signature);
    }
    return new Verdict.Goes(domains.get(domain));
  }

  /**
   * The target document that a training document is like, its input instead of its side's domain.
   */
  Optional<Twin> twin(Signature signature) {
    return twins
        .target(signature)
        .map(
            twin ->
                new Twin(
                    new DocumentPlace(twin.place().domain() / 2, twin.place().offset()),
                    twin.text(),
                    twin.similarity(),
                    twin.exact()));
  }
}
