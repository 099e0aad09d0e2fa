package io.sluice.refine.step;

import io.sluice.refine.bucket.BucketSettings;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.util.List;
import java.util.Optional;

/** The settings of a specification's steps, as values. */
public final class StepSettings {
  /** What a text is in that a step can say nothing of, such as one without words. */
  public static final String NONE = "none";

  private StepSettings() {}

  /** The step of a name, if it is taken. */
  public static Optional<RefineStep> find(RefineSpec spec, String name) {
    return find(spec.getSteps(), name);
  }

  /** The step of a name, if it is among these. */
  public static Optional<RefineStep> find(List<RefineStep> steps, String name) {
    return steps.stream().filter(step -> step.getName().equals(name)).findFirst();
  }

  /** How signatures are made for {@link StepNames#DUPLICATES}. */
  public static SignatureScheme scheme(RefineStep duplicates) {
    return new SignatureScheme(
        whole(duplicates, "words"), whole(duplicates, "bands"), whole(duplicates, "rows"));
  }

  /** How documents go to the buckets of {@link StepNames#PERPLEXITY}. */
  public static BucketSettings buckets(RefineStep perplexity) {
    return new BucketSettings(
        whole(perplexity, "buckets"),
        whole(perplexity, "warm-up"),
        number(perplexity, "growth"),
        number(perplexity, "tolerance"));
  }

  /** The inputs that are target sets, in their order. */
  public static List<String> targetDomains(RefineStep targets) {
    return List.of(text(targets, "domains").split(" ", -1));
  }

  /** A setting that is a number. */
  public static double number(RefineStep step, String key) {
    return Double.parseDouble(text(step, key));
  }

  /** A setting that is a whole number. */
  public static int whole(RefineStep step, String key) {
    return Integer.parseInt(text(step, key));
  }

  /** A setting that is a whole number, however large. */
  public static long large(RefineStep step, String key) {
    return Long.parseLong(text(step, key));
  }

  /** Any setting, which must be there. */
  public static String text(RefineStep step, String key) {
    String value = step.getSettings().get(key);
    if (value == null) {
      throw new IllegalArgumentException("step '" + step.getName() + "' has no " + key);
    }
    return value;
  }
}
