package io.sluice.lab.reproduce.arm;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An arm of an experiment: what one run does with the domains of its seed.
 *
 * @param name as claims have it
 * @param steps batches of the run
 * @param base arm whose final model it begins with; empty for drawn parameters
 * @param after arms that must have ended before, beside the base
 * @param mixture first weights and policy, once those have ended
 * @param judged whether its model is tested
 */
public record Arm(
    String name,
    int steps,
    Optional<String> base,
    List<String> after,
    Function<Outcomes, Mixture> mixture,
    boolean judged) {
  /** Copies the list. */
  public Arm {
    after = List.copyOf(after);
  }

  /** An arm that waits for no other, and begins with drawn parameters. */
  public static Arm of(String name, int steps, Mixture mixture) {
    return new Arm(name, steps, Optional.empty(), List.of(), ended -> mixture, true);
  }

  /** The same, beginning with the model of another arm. */
  public Arm on(String base) {
    return new Arm(name, steps, Optional.of(base), after, mixture, judged);
  }

  /** The same, made of what other arms came to. */
  public Arm after(List<String> others, Function<Outcomes, Mixture> made) {
    return new Arm(name, steps, base, others, made, judged);
  }

  /** The same, of which only others make use. */
  public Arm unjudged() {
    return new Arm(name, steps, base, after, mixture, false);
  }
}
