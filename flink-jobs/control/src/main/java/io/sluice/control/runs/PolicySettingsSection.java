package io.sluice.control.runs;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntSupplier;

/** Settings as a run's file nests them, made flat, with dotted keys. */
public final class PolicySettingsSection {
  private static final String TOKENS = "tokens";

  private PolicySettingsSection() {}

  /**
   * Adds every setting under a section: {@code a: {b: 1}} as {@code a.b}, a list of texts with
   * spaces between, a list of maps with their numbers from 1 as keys, and an empty map as ''.
   */
  static void flatten(ConfigSection section, String prefix, Map<String, String> into) {
    for (String key : section.keys()) {
      if (section.isSection(key)) {
        ConfigSection below = section.section(key);
        if (below.keys().isEmpty()) {
          into.put(prefix + key, "");
        }
        flatten(below, prefix + key + ".", into);
      } else if (section.isSections(key)) {
        int number = 1;
        for (ConfigSection element : section.sections(key)) {
          flatten(element, prefix + key + "." + number + ".", into);
          number++;
        }
      } else if (section.isList(key)) {
        into.put(prefix + key, String.join(" ", section.texts(key)));
      } else {
        into.put(prefix + key, section.text(key));
      }
    }
  }

  /**
   * The settings with tokens as sequences, rounded up; policies count in those.
   *
   * @param sequenceLength labels per sequence, asked only if a setting is in tokens
   */
  public static Map<String, String> inSequences(
      Map<String, String> settings, IntSupplier sequenceLength) {
    Map<String, String> converted = new TreeMap<>(settings);
    converted.replaceAll(
        (key, value) -> {
          Optional<Quantity> tokens =
              Quantity.parse(value).filter(quantity -> quantity.unit().equals(TOKENS));
          return tokens
              .map(quantity -> sequences(quantity.value(), sequenceLength.getAsInt()))
              .orElse(value);
        });
    return converted;
  }

  private static String sequences(long tokens, int length) {
    return -Math.floorDiv(-tokens, (long) length) + " sequences";
  }
}
