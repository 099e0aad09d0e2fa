package io.sluice.control.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key of a configuration file: how its value is read, and what people are told about it.
 *
 * @param key with dots between, such as {@code apply.lag}
 * @param type of the value, with its unit
 * @param allowed range or words
 * @param otherwise what holds when the key is missing; '' for a key that must be there
 * @param example a value, as it is written
 * @param reader of the value, from the section that the key is in
 */
public record Option<T>(
    String key,
    String type,
    String allowed,
    String otherwise,
    String example,
    String description,
    Reader<T> reader) {
  /** Takes a value from its section. */
  public interface Reader<T> {
    /** The value of a key, or what holds instead. */
    T read(ConfigSection section, String key);
  }

  /** A text that must be there. */
  public static Option<String> text(
      String key, String allowed, String example, String description) {
    return new Option<>(key, "text", allowed, "", example, description, ConfigSection::text);
  }

  /** One of some words. */
  public static Option<String> oneOf(
      String key, List<String> words, String otherwise, String description) {
    return new Option<>(
        key,
        "word",
        String.join(", ", words),
        otherwise,
        words.get(words.size() - 1),
        description,
        (section, name) -> section.oneOf(name, otherwise, words));
  }

  /**
   * A whole number.
   *
   * @param unit that may follow it; '' for none
   * @param otherwise null if it must be there
   */
  public static Option<Long> count(
      String key,
      String unit,
      long min,
      long max,
      @Nullable Long otherwise,
      String example,
      String description) {
    return new Option<>(
        key,
        unit.isEmpty() ? "whole number" : "whole number of " + unit,
        range(min, max),
        otherwise == null ? "" : otherwise.toString(),
        example,
        description,
        (section, name) ->
            otherwise == null
                ? section.count(name, unit, min, max)
                : section.count(name, unit, min, max, otherwise));
  }

  private static String range(long min, long max) {
    String most = max == Long.MAX_VALUE ? "" : "at most " + max;
    return min == Long.MIN_VALUE
        ? (most.isEmpty() ? "any" : most)
        : most.isEmpty() ? "at least " + min : min + " to " + max;
  }

  /** A number. */
  public static Option<Double> number(
      String key, double min, double max, double otherwise, String example, String description) {
    return new Option<>(
        key,
        "number",
        min + " to " + max,
        Double.toString(otherwise),
        example,
        description,
        (section, name) -> section.number(name, min, max, otherwise));
  }

  /** A time. */
  public static Option<Duration> duration(
      String key,
      Duration min,
      Duration max,
      Duration otherwise,
      String example,
      String description) {
    return new Option<>(
        key,
        "time",
        Durations.format(min) + " to " + Durations.format(max),
        Durations.format(otherwise),
        example,
        description,
        (section, name) -> section.duration(name, min, max, otherwise));
  }
}
