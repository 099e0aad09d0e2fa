package io.sluice.mixture.policy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A policy's settings as flat text, read with checks; whatever nobody read is refused. */
final class PolicySettings {
  private final String policy;
  private final Map<String, String> values;
  private final Set<String> unread;

  PolicySettings(String policy, Map<String, String> values) {
    this.policy = policy;
    this.values = values;
    this.unread = new TreeSet<>(values.keySet());
  }

  double number(String key, double fallback, double low, double high) {
    String text = take(key);
    return text == null ? fallback : parse(key, text, low, high);
  }

  boolean flag(String key, boolean fallback) {
    String text = take(key);
    if (text == null) {
      return fallback;
    }
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(path(key) + " must be true or false: '" + text + "'");
    }
    return text.equals("true");
  }

  /** One number for each domain under {@code key.<domain>}; null when there is none at all. */
  double @Nullable [] perDomain(String key, List<String> domains, double low, double high) {
    if (values.keySet().stream().noneMatch(k -> k.startsWith(key + "."))) {
      return null;
    }
    double[] result = new double[domains.size()];
    for (int i = 0; i < result.length; i++) {
      String name = key + "." + domains.get(i);
      String text = take(name);
      if (text == null) {
        throw new IllegalArgumentException(
            path(key) + " must name every domain of " + domains + ": missing " + domains.get(i));
      }
      result[i] = parse(name, text, low, high);
    }
    return result;
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  /**
   * Refuses what nobody read.
   *
   * @param known keys to name in the message
   */
  void requireAllRead(Collection<String> known) {
    if (!unread.isEmpty()) {
      throw new IllegalArgumentException(
          path(unread.iterator().next()) + " is not a setting; known are " + known);
    }
  }

  String path(String key) {
    return "policy." + policy + "." + key;
  }

  private @Nullable String take(String key) {
    unread.remove(key);
    return values.get(key);
  }

  private double parse(String key, String text, double low, double high) {
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(path(key) + " must be a number: '" + text + "'", e);
    }
    if (!(value >= low && value <= high)) {
      throw new IllegalArgumentException(
          path(key) + " must be in [" + low + ", " + high + "]: " + text);
    }
    return value;
  }
}
