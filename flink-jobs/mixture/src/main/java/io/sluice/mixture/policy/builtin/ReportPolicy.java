package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.UpdatingPolicy;
import java.util.List;

/**
 * A policy that takes report after report: its name, its settings and the metrics that it needs.
 */
abstract class ReportPolicy<S> extends UpdatingPolicy {
  final S settings;
  private final String name;
  private final List<String> metrics;

  ReportPolicy(String name, S settings, String... metrics) {
    this.name = name;
    this.settings = settings;
    this.metrics = List.of(metrics);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final List<String> metrics() {
    return metrics;
  }
}
