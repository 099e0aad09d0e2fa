package io.sluice.lab.manifest;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;

/** The options of Flink on the class path, by its constants, and those of its operator. */
final class FlinkOptions {
  /** The connector has options of tables, and shaded jars have others'. */
  private static final Pattern FLINK =
      Pattern.compile(".*/flink-(?!connector-kafka|shaded)[^/]*\\.jar");

  private static final Pattern OPTIONS =
      Pattern.compile("(org/apache/flink/.*Options(?:Internal)?)\\.class");
  private static final Pattern REPORTER = Pattern.compile("(metrics\\.reporter\\.[^.]+\\.)(.+)");

  /**
   * Those of the operator that the manifests use; its artifact of this release is not published.
   */
  private static final Set<String> OPERATORS =
      Set.of(
          "job.autoscaler.enabled",
          "job.autoscaler.metrics.window",
          "job.autoscaler.stabilization.interval");

  private static final Map<String, ConfigOption<?>> ALL = all();

  private FlinkOptions() {}

  /** How many there are. */
  static int count() {
    return ALL.size();
  }

  /** What is wrong with a key or its value, among others of the same configuration. */
  static Optional<String> problem(String key, Map<String, String> among) {
    Matcher reporter = REPORTER.matcher(key);
    if (reporter.matches()) {
      return reporterProblem(reporter.group(1), reporter.group(2), among);
    }
    ConfigOption<?> option = ALL.get(key);
    if (option == null) {
      return OPERATORS.contains(key) ? Optional.empty() : Optional.of("no option of Flink: " + key);
    }
    try {
      Configuration.fromMap(among).getOptional(option);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(key + ": " + e.getMessage());
    }
  }

  private static Optional<String> reporterProblem(
      String prefix, String parameter, Map<String, String> among) {
    String factory = among.getOrDefault(prefix + MetricOptions.REPORTER_FACTORY_CLASS.key(), "");
    try {
      Set<String> known =
          Stream.concat(
                  constants(MetricOptions.class)
                      .filter(field -> field.getName().startsWith("REPORTER_"))
                      .map(field -> ((ConfigOption<?>) value(field)).key()),
                  constants(Class.forName(factory))
                      .filter(field -> field.getName().startsWith("ARG_"))
                      .map(field -> (String) value(field)))
              .collect(Collectors.toSet());
      return known.contains(parameter)
          ? Optional.empty()
          : Optional.of("no parameter of " + factory + ": " + parameter);
    } catch (ClassNotFoundException e) {
      return Optional.of("no reporter: " + factory);
    }
  }

  private static Map<String, ConfigOption<?>> all() {
    Map<String, ConfigOption<?>> all = new HashMap<>();
    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> FLINK.matcher(entry).matches())
        .forEach(jar -> options(jar).forEach(option -> all.put(option.key(), option)));
    return all;
  }

  private static Stream<ConfigOption<?>> options(String jar) {
    try (JarFile file = new JarFile(jar)) {
      return file.stream()
          .map(JarEntry::getName)
          .map(OPTIONS::matcher)
          .filter(Matcher::matches)
          .flatMap(name -> constants(named(name.group(1).replace('/', '.'))))
          .filter(field -> field.getType() == ConfigOption.class)
          .<ConfigOption<?>>map(field -> (ConfigOption<?>) value(field))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Class<?> named(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<Field> constants(Class<?> of) {
    return Stream.of(of.getDeclaredFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()));
  }

  private static Object value(Field constant) {
    try {
      constant.setAccessible(true);
      return constant.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
