package io.sluice.djl.measure;

import io.sluice.schema.RunSpec;
import java.util.Map;

/**
 * What a run's policy says of the gradients it compares.
 *
 * @param training whether probe batches are of text that was trained on, as in algorithm 1 of the
 *     DGA paper (line 6), and not of held-out text
 * @param clip whether gradients are scaled down to norm 1
 */
public record ProbeOptions(boolean training, boolean clip) {
  /** Those in the policy's settings, whose own policy may be nested in another. */
  public static ProbeOptions of(RunSpec spec) {
    Map<String, String> settings = spec.getPolicySettings();
    return new ProbeOptions(
        !has(settings, "probes", "held-out"), !has(settings, "clip-gradients", "false"));
  }

  private static boolean has(Map<String, String> settings, String name, String value) {
    return settings.entrySet().stream()
        .anyMatch(
            each ->
                (each.getKey().equals(name) || each.getKey().endsWith("." + name))
                    && each.getValue().equals(value));
  }
}
