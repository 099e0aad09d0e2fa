package io.sluice.control.wire;

import io.sluice.control.config.Durations;
import io.sluice.control.config.Option;
import io.sluice.control.config.OptionReader;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A key of {@code run.yaml} that is a field of the specification, and the range that it has there,
 * too, whoever wrote the specification.
 *
 * @param option how people write it
 * @param of its value in a specification
 * @param into puts a value into one
 * @param range of its values, for messages
 * @param allowed whether a value is in it
 */
public record RunField<T>(
    Option<T> option,
    Function<RunSpec, T> of,
    BiConsumer<RunSpec.Builder, T> into,
    String range,
    Predicate<T> allowed) {

  static RunField<String> word(
      String key,
      List<String> words,
      String otherwise,
      String description,
      Function<RunSpec, String> of,
      BiConsumer<RunSpec.Builder, String> into) {
    return new RunField<>(
        Option.oneOf(key, words, otherwise, description),
        of,
        into,
        "be one of " + String.join(", ", words),
        words::contains);
  }

  static RunField<Long> count(
      String key,
      String unit,
      long min,
      long max,
      long otherwise,
      String example,
      String description,
      Function<RunSpec, Long> of,
      BiConsumer<RunSpec.Builder, Long> into) {
    return new RunField<>(
        Option.count(key, unit, min, max, otherwise, example, description),
        of,
        into,
        max == Long.MAX_VALUE ? "be at least " + min : "be in [" + min + ", " + max + "]",
        value -> value >= min && value <= max);
  }

  /** Takes the value of a file over, or what holds instead. */
  public void read(OptionReader file, RunSpec.Builder spec) {
    into.accept(spec, file.get(option));
  }

  /** The value of a specification as a file has it. */
  public Object written(RunSpec spec) {
    T value = of.apply(spec);
    return value instanceof Duration time ? Durations.format(time) : value;
  }

  /** Refuses a specification with another value than a file could have. */
  void require(RunSpec spec) {
    T value = of.apply(spec);
    if (!allowed.test(value)) {
      String shown = value instanceof String ? "'" + value + "'" : written(spec).toString();
      throw new IllegalArgumentException(option.key() + " must " + range + ": " + shown);
    }
  }
}
