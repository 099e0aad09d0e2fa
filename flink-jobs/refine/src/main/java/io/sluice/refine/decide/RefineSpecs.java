package io.sluice.refine.decide;

import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.step.StepValues;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Specifications of refineries, checked. */
public final class RefineSpecs {
  /** Domains that a refinery may read. */
  public static final int MOST_INPUTS = 256;

  private RefineSpecs() {}

  /**
   * A specification with all the names that its pattern can come to.
   *
   * @param steps each at most once; put into the order in which they are taken
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  public static RefineSpec resolve(
      String name, List<String> inputs, String pattern, List<RefineStep> steps) {
    requireNames(name, inputs);
    List<RefineStep> ordered = ordered(steps);
    DomainPattern domains = new DomainPattern(pattern);
    StepSettings.find(ordered, StepNames.BASIS)
        .ifPresent(basis -> requireBasis(basis, ordered, domains));
    Map<String, List<String>> values = new HashMap<>();
    values.put(DomainPattern.INPUT, inputs);
    for (RefineStep step : ordered) {
      if (domains.places().contains(step.getName())) {
        values.put(step.getName(), StepValues.of(step));
      }
    }
    for (String place : domains.places()) {
      if (!values.containsKey(place)) {
        throw new BadInputException(
            "domains must have {input} or the name of a step that is taken in braces: found {"
                + place
                + "} in '"
                + pattern
                + "', with the steps "
                + ordered.stream().map(RefineStep::getName).toList());
      }
    }
    List<String> outputs = domains.names(values);
    for (String input : inputs) {
      if (outputs.contains(input)) {
        throw new BadInputException(
            "domains must be others than inputs: '" + pattern + "' comes to '" + input + "'");
      }
    }
    return new RefineSpec(
        name, inputs, pattern, outputs, ordered, fingerprint(inputs, pattern, outputs, ordered));
  }

  /** Copies are drawn by the clusters that the pool and the topics were counted by. */
  private static void requireBasis(
      RefineStep basis, List<RefineStep> steps, DomainPattern domains) {
    BasisModel model = DocumentSteps.basisModel(basis);
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
    if (!domains.places().contains(StepNames.BASIS)) {
      throw new BadInputException(
          "domains must have {basis} where that step is taken: copies go to the domains of their"
              + " topics");
    }
  }

  private static void requireNames(String name, List<String> inputs) {
    try {
      Topics.requireName("refinery", name);
      inputs.forEach(input -> Topics.requireName("domain", input));
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
    if (inputs.isEmpty() || inputs.size() > MOST_INPUTS) {
      throw new BadInputException(
          "inputs must be 1 to " + MOST_INPUTS + " domains: found " + inputs.size());
    }
    if (inputs.stream().distinct().count() < inputs.size()) {
      throw new BadInputException("inputs must name each domain once: found " + inputs);
    }
  }

  private static List<RefineStep> ordered(List<RefineStep> steps) {
    List<RefineStep> ordered = new ArrayList<>();
    for (String name : StepNames.ALL) {
      steps.stream().filter(step -> step.getName().equals(name)).forEach(ordered::add);
    }
    return ordered;
  }

  /** Of what decides which documents come out; where models lie does not. */
  private static long fingerprint(
      List<String> inputs, String pattern, List<String> outputs, List<RefineStep> steps) {
    StringBuilder all = new StringBuilder();
    all.append(inputs).append('\n').append(pattern).append('\n').append(outputs);
    for (RefineStep step : steps) {
      all.append('\n').append(step.getName()).append(' ').append(step.getModelHash());
      all.append(' ').append(new TreeMap<>(step.getSettings()));
    }
    return Hashing.komihash5_0().hashCharsToLong(all);
  }
}
