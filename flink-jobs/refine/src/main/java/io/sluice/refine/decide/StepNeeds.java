package io.sluice.refine.decide;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.synthesis.live.SynthesisStep;
import io.sluice.schema.RefineStep;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What steps need of each other. */
final class StepNeeds {
  private StepNeeds() {}

  /** Copies are drawn by the clusters that the pool and the topics were counted by. */
  static void requireBasis(List<RefineStep> steps, Set<String> places) {
    Optional<RefineStep> basis = StepSettings.find(steps, StepNames.BASIS);
    if (basis.isEmpty()) {
      return;
    }
    BasisModel model = DocumentSteps.basisModel(basis.get());
    RefineStep cluster =
        StepSettings.find(steps, StepNames.CLUSTER)
            .orElseThrow(
                () -> new BadInputException("basis must have cluster with it: found none"));
    if (!cluster.getModelHash().equals(model.clusters())) {
      throw new BadInputException(
          "basis.model must be of cluster.model's clusters, "
              + cluster.getModelHash()
              + ": found "
              + model.clusters());
    }
    String assign = StepSettings.text(cluster, "assign");
    if (!assign.equals("descent")) {
      throw new BadInputException(
          "cluster.assign must be descent with basis, as its topics are counted: found " + assign);
    }
    if (!places.contains(StepNames.BASIS)) {
      throw new BadInputException(
          "domains must have {basis} where that step is taken: copies go to the domains of their"
              + " topics");
    }
  }

  /** The step with target sets, which needs to know what is like their documents. */
  static Optional<RefineStep> targets(List<RefineStep> steps) {
    Optional<RefineStep> targets = StepSettings.find(steps, StepNames.TARGETS);
    if (targets.isEmpty()) {
      return targets;
    }
    String memory =
        StepSettings.find(steps, StepNames.DUPLICATES)
            .map(duplicates -> StepSettings.text(duplicates, "memory"))
            .orElse("no such step");
    if (!memory.equals("state")) {
      throw new BadInputException(
          "targets must have duplicates with memory: state, which knows each document that another"
              + " is like: found "
              + memory);
    }
    return targets;
  }

  /**
   * Refuses other steps beside that which asks a model, which costs money: a refinery before it
   * drops and chooses.
   */
  static void requireSynthesisAlone(List<RefineStep> steps) {
    Optional<RefineStep> synthesize = StepSettings.find(steps, StepNames.SYNTHESIZE);
    if (synthesize.isPresent() && steps.size() > 1) {
      throw new BadInputException(
          "synthesize must be a refinery's only step; drop duplicates and choose seeds in one before"
              + " it: found "
              + steps.stream().map(RefineStep::getName).toList());
    }
    synthesize.ifPresent(step -> new SynthesisStep(step).requireUsable());
  }
}
