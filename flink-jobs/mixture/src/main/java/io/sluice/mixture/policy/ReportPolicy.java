package io.sluice.mixture.policy;

import java.util.List;

/**
 * A policy that takes report after report: its name, its settings and the metrics that it needs.
 */
public abstract class ReportPolicy<S> extends UpdatingPolicy {
  /** What the run says of it. */
  protected final S settings;

  private final String name;
  private final List<String> metrics;

  /** A policy by that name, which needs these metrics. */
  protected ReportPolicy(String name, S settings, String... metrics) {
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
