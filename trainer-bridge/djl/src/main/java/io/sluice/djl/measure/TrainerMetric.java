package io.sluice.djl.measure;

import io.sluice.djl.trainer.ReferenceTrainer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  /** The policy of a tree's group, and a setting of it: {@code groups.zh.policy.dga.eta}. */
  private static final Pattern GROUP =
      Pattern.compile("groups\\.([^.]+)\\.policy(?:\\.([^.]+)(?:\\.(.+))?)?");

  private final String wireName;

  TrainerMetric(String wireName) {
    this.wireName = wireName;
  }

  /** Name in feedback records. */
  public String wireName() {
    return wireName;
  }

  /**
   * Names of what a trainer can measure.
   *
   * @param alignment whose gradients need target domains
   */
  public static Set<String> measuredWith(AlignmentSettings alignment) {
    Set<TrainerMetric> metrics = EnumSet.allOf(TrainerMetric.class);
    if (alignment.targetDomains().isEmpty()) {
      metrics.removeAll(EnumSet.of(ALIGNMENT, GRADIENT_NORM));
    }
    Set<String> names = new TreeSet<>();
    metrics.forEach(each -> names.add(each.wireName()));
    return names;
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
          case "tree" -> neededByGroups(settings);
          case "static", "importance-sampling", "recorded", "curriculum" ->
              EnumSet.noneOf(TrainerMetric.class);
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

  /** A tree waits for what its groups' policies wait for, and for losses that end a stage. */
  private static Set<TrainerMetric> neededByGroups(Map<String, String> settings) {
    Map<String, String> policies = new TreeMap<>();
    Map<String, Map<String, String>> below = new TreeMap<>();
    Set<TrainerMetric> needed = EnumSet.noneOf(TrainerMetric.class);
    settings.forEach(
        (key, value) -> {
          Matcher group = GROUP.matcher(key);
          if (key.matches("stages\\.[0-9]+\\.when\\..*")) {
            needed.add(EVAL_LOSS);
          } else if (group.matches()) {
            String name = group.group(2) == null ? value : group.group(2);
            policies.put(group.group(1), name);
            if (group.group(3) != null) {
              below
                  .computeIfAbsent(group.group(1), g -> new TreeMap<>())
                  .put(group.group(3), value);
            }
          }
        });
    policies.forEach(
        (group, name) -> needed.addAll(neededBy(name, below.getOrDefault(group, Map.of()))));
    return needed;
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
