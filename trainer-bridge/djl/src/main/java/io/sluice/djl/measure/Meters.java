package io.sluice.djl.measure;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The factories of all meters, of this jar and of others, by the metrics that they measure. */
public final class Meters {
  private final TreeMap<String, MeterFactory> factories = new TreeMap<>();

  private Meters() {}

  /**
   * Those that are seen from this thread or from this class.
   *
   * @throws IllegalArgumentException if two measure the same
   */
  public static Meters provided() {
    Meters meters = new Meters();
    Set<ClassLoader> loaders = new LinkedHashSet<>();
    Stream.of(Meters.class.getClassLoader(), Thread.currentThread().getContextClassLoader())
        .filter(Objects::nonNull)
        .forEach(loaders::add);
    for (ClassLoader loader : loaders) {
      ServiceLoader.load(MeterFactory.class, loader).forEach(meters::add);
    }
    return meters;
  }

  private void add(MeterFactory factory) {
    String name = factory.getClass().getName();
    for (String metric : factory.metrics()) {
      MeterFactory other = factories.putIfAbsent(metric, factory);
      if (other != null && !other.getClass().getName().equals(name)) {
        throw new IllegalArgumentException("metric '" + metric + "' has a meter already: " + name);
      }
    }
  }

  /** Every metric that can be measured, by name. */
  public Set<String> metrics() {
    return Set.copyOf(factories.keySet());
  }

  /** The factory for a metric. */
  public Optional<MeterFactory> of(String metric) {
    return Optional.ofNullable(factories.get(metric));
  }

  /** The names in alphabetical order, for messages. */
  @Override
  public String toString() {
    return factories.keySet().toString();
  }
}
