package io.sluice.djl;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** What the {@link ReferenceTrainer} can measure for each domain, under its name on the wire. */
public enum TrainerMetric {
  /** Negative log-likelihood on held-out blocks in nats; the count is tokens. */
  EVAL_LOSS("eval_loss"),
  /** Perplexity on held-out blocks; the count is 1. */
  PERPLEXITY("perplexity"),
  /** Negative log-likelihood of the batches since the report before; the count is tokens. */
  TRAIN_LOSS("train_loss"),
  /** Dot product of the domain's gradient with the target set's; the count is 1. */
  ALIGNMENT("alignment"),
  /** Norm of the domain's gradient before it is clipped; the count is 1. */
  GRADIENT_NORM("gradient_norm"),
  /** The optimizer's learning rate, the same for every domain; the count is 1. */
  LEARNING_RATE("learning_rate");

  private final String wireName;

  TrainerMetric(String wireName) {
    this.wireName = wireName;
  }

  /** Name in feedback records. */
  public String wireName() {
    return wireName;
  }

  /**
   * The metrics that a run's rounds wait for; the held-out loss for a policy that is not known
   * here.
   *
   * @param settings of the policy, flat, as in the run's specification
   * @throws IllegalArgumentException if the policy waits for what this trainer cannot measure
   */
  public static Set<TrainerMetric> neededBy(String policy, Map<String, String> settings) {
    Set<TrainerMetric> needed =
        switch (policy) {
          case "static", "importance-sampling", "recorded" -> EnumSet.noneOf(TrainerMetric.class);
          case "odm", "odm-paper", "ado" -> EnumSet.of(TRAIN_LOSS);
          case "dga" -> EnumSet.of(ALIGNMENT);
          case "doge" -> EnumSet.of(ALIGNMENT, GRADIENT_NORM, LEARNING_RATE);
          case "topic-perplexity" ->
              EnumSet.of("perplexity".equals(settings.get("metric")) ? PERPLEXITY : EVAL_LOSS);
          case "doremi" -> throw beyond(policy, "the losses of a reference model");
          case "dga-distribution" -> throw beyond(policy, "alignments of distributions");
          default -> EnumSet.of(EVAL_LOSS);
        };
    return Collections.unmodifiableSet(needed);
  }

  private static IllegalArgumentException beyond(String policy, String what) {
    return new IllegalArgumentException(
        "policy must be one whose metrics the reference trainer can measure; '"
            + policy
            + "' waits for "
            + what
            + ": report them from a trainer of your own");
  }
}
