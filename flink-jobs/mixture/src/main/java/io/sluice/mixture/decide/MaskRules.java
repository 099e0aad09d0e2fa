package io.sluice.mixture.decide;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which sets of documents a run may come to mask from which batches on: what is masked once stays
 * so, and a mask begins where nothing is granted.
 */
final class MaskRules {
  private MaskRules() {}

  /**
   * Refuses a revision that changes a mask, or begins one in a batch that is granted.
   *
   * @param granted last batch that is granted
   */
  static void requireLater(Map<String, Long> old, Map<String, Long> masks, long granted) {
    old.forEach(
        (set, from) -> {
          if (!from.equals(masks.get(set))) {
            throw refused("set " + set + " must stay masked from batch " + from, masks.get(set));
          }
        });
    masks.forEach(
        (set, from) -> {
          if (!old.containsKey(set) && from <= granted) {
            throw refused(
                "set " + set + " must be masked from batch " + (granted + 1) + " at least", from);
          }
        });
  }

  /**
   * Refuses a rewind that gives free what is masked: what is masked in a batch that is granted, or
   * in the next one, stays so from the batch on that the rewind opens, and other masks stay.
   *
   * @param batch last one that stands
   * @param granted last one before the rewind
   */
  static void requireKept(Map<String, Long> now, Map<String, Long> then, long batch, long granted) {
    now.forEach(
        (set, from) -> {
          long wanted = from > batch && from <= granted + 1 ? batch + 1 : from;
          if (!Long.valueOf(wanted).equals(then.get(set))) {
            throw refused("set " + set + " must be masked from batch " + wanted, then.get(set));
          }
        });
    then.forEach(
        (set, from) -> {
          if (!now.containsKey(set) && from <= batch) {
            throw refused(
                "set " + set + " must be masked from batch " + (batch + 1) + " at least", from);
          }
        });
  }

  private static IllegalArgumentException refused(String rule, @Nullable Object actual) {
    return new IllegalArgumentException(rule + ": " + (actual == null ? "it is not" : actual));
  }
}
