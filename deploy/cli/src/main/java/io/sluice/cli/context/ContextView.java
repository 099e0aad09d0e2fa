package io.sluice.cli.context;

import io.sluice.cli.options.Context;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A context as it is reported; what it does not say is null.
 *
 * @param current whether it is the one in use
 */
record ContextView(
    String context,
    boolean current,
    String kafka,
    @Nullable String prefix,
    @Nullable String kafkaConfig,
    @Nullable String plugins) {
  static ContextView of(Context context, String current) {
    return new ContextView(
        context.name(),
        context.name().equals(current),
        context.kafka(),
        context.prefix().orElse(null),
        context.kafkaConfig().map(Path::toString).orElse(null),
        context.plugins().map(Path::toString).orElse(null));
  }

  /** A line for each thing that it says. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("context: " + context + (current ? " (in use)" : ""));
    lines.add("kafka: " + kafka);
    add(lines, "prefix", prefix);
    add(lines, "kafka-config", kafkaConfig);
    add(lines, "plugins", plugins);
    return lines;
  }

  private static void add(List<String> lines, String key, @Nullable String value) {
    if (value != null) {
      lines.add(key + ": " + value);
    }
  }
}
