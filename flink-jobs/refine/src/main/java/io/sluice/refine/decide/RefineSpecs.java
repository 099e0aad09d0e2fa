package io.sluice.refine.decide;

import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.step.StepValues;
import io.sluice.refine.synthesis.live.SynthesisStep;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Specifications of refineries, checked. */
public final class RefineSpecs {
  /** Domains that a refinery may read. */
  public static final int MOST_INPUTS = 256;

  private RefineSpecs() {}

  /**
   * A specification with all the names that its pattern can come to. Domains of target sets become
   * the first inputs.
   *
   * @param inputs whose documents are for training
   * @param steps each at most once; put into the order in which they are taken
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  public static RefineSpec resolve(
      String name, List<String> inputs, String pattern, List<RefineStep> steps) {
    List<RefineStep> ordered = ordered(steps);
    Optional<RefineStep> targets = StepNeeds.targets(ordered);
    List<String> all = new ArrayList<>(targets.map(StepSettings::targetDomains).orElse(List.of()));
    all.addAll(inputs);
    requireNames(name, inputs, all);
    StepNeeds.requireSynthesisAlone(ordered);
    DomainPattern domains = new DomainPattern(pattern);
    StepNeeds.requireBasis(ordered, domains.places());
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
    List<String> outputs = new ArrayList<>(domains.names(values));
    for (String side : targets.map(TargetSets::sides).orElse(List.of())) {
      if (outputs.contains(requireDomain(side))) {
        throw new BadInputException(
            "domains must be others than those of targets: '" + pattern + "' comes to " + side);
      }
      outputs.add(side);
    }
    for (String input : all) {
      if (outputs.contains(input)) {
        throw new BadInputException(
            "domains must be others than inputs: '" + pattern + "' comes to '" + input + "'");
      }
    }
    return new RefineSpec(
        name, all, pattern, outputs, ordered, fingerprint(all, pattern, outputs, ordered));
  }

  private static Map<String, String> deciding(RefineStep step) {
    return step.getName().equals(StepNames.SYNTHESIZE)
        ? SynthesisStep.deciding(step)
        : new TreeMap<>(step.getSettings());
  }

  private static void requireNames(String name, List<String> inputs, List<String> all) {
    requireName("refinery", name);
    all.forEach(RefineSpecs::requireDomain);
    if (inputs.isEmpty() || all.size() > MOST_INPUTS) {
      throw new BadInputException(
          "inputs must be 1 to "
              + MOST_INPUTS
              + " domains, with those of targets: found "
              + all.size());
    }
    if (all.stream().distinct().count() < all.size()) {
      throw new BadInputException("inputs and targets must name each domain once: found " + all);
    }
  }

  private static String requireDomain(String name) {
    return requireName("domain", name);
  }

  private static String requireName(String what, String name) {
    try {
      return Topics.requireName(what, name);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
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
      all.append(' ').append(deciding(step));
    }
    return Hashing.komihash5_0().hashCharsToLong(all);
  }
}
