package io.sluice.mixture.policy;

import java.util.Set;
import java.util.regex.Pattern;

/** Wire names of what trainers measure, each as a sum and a count for every domain or pair. */
public final class Metrics {
  /** Negative log-likelihood on held-out documents in nats; the count is tokens. */
  public static final String EVAL_LOSS = "eval_loss";

  /** Negative log-likelihood of the batches trained on since the report before; tokens. */
  public static final String TRAIN_LOSS = "train_loss";

  /** Inner product of a domain's gradient with the target's; the count is inner products. */
  public static final String ALIGNMENT = "alignment";

  /**
   * Inner product of the gradients of a pair: of two domains, or of a target and a domain; the
   * count is inner products.
   */
  public static final String GRADIENT_PRODUCT = "gradient_product";

  /**
   * Of a domain's gradient the squared norm of its mean, and the variance of one sequence's about
   * it, both without what the size of the sample adds; the count is estimates.
   */
  public static final String GRADIENT_MOMENT = "gradient_moment";

  /** Norm of a domain's gradient; the count is gradients. */
  public static final String GRADIENT_NORM = "gradient_norm";

  /** The optimizer's learning rate, the same for every domain that is measured. */
  public static final String LEARNING_RATE = "learning_rate";

  /** Perplexity on held-out documents; the count is measurements, usually 1. */
  public static final String PERPLEXITY = "perplexity";

  /** Negative log-likelihood under a reference model; the count is tokens. */
  public static final String REFERENCE_LOSS = "reference_loss";

  /**
   * Loss above the reference model's, with every token's excess clipped at 0 before it is summed;
   * the count is tokens.
   */
  public static final String EXCESS_LOSS = "excess_loss";

  /** Weights that another process proposes; the count is 1. */
  public static final String PROPOSED_WEIGHT = "proposed_weight";

  private static final Set<String> KNOWN =
      Set.of(
          EVAL_LOSS,
          TRAIN_LOSS,
          ALIGNMENT,
          GRADIENT_PRODUCT,
          GRADIENT_MOMENT,
          GRADIENT_NORM,
          LEARNING_RATE,
          PERPLEXITY,
          REFERENCE_LOSS,
          EXCESS_LOSS,
          PROPOSED_WEIGHT);

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_.-]{0,63}");

  private Metrics() {}

  /**
   * Refuses what no metric can be called, of this jar or another.
   *
   * @return the name
   */
  public static String requireName(String metric) {
    if (!NAME.matcher(metric).matches()) {
      String shown = metric.substring(0, Math.min(metric.length(), 80));
      throw new IllegalArgumentException("metric must be named as " + NAME + ": '" + shown + "'");
    }
    return metric;
  }

  /** Whether trainers may measure this, though not every policy asks for it. */
  public static boolean isKnown(String metric) {
    return KNOWN.contains(metric);
  }
}
