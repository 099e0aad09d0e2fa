package io.sluice.serve.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gauges as they are collected, in the order in which their names first came. */
final class Gauges {
  private final Map<String, String> helps = new LinkedHashMap<>();
  private final Map<String, List<GaugeDataPointSnapshot>> points = new LinkedHashMap<>();

  /**
   * Adds a value.
   *
   * @param help what it is, in a sentence
   * @param labels names and values in turn
   */
  void add(String name, String help, Number value, String... labels) {
    helps.putIfAbsent(name, help);
    points
        .computeIfAbsent(name, any -> new ArrayList<>())
        .add(
            GaugeDataPointSnapshot.builder()
                .value(value.doubleValue())
                .labels(Labels.of(labels))
                .build());
  }

  MetricSnapshots snapshots() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    points.forEach(
        (name, each) -> {
          GaugeSnapshot.Builder gauge =
              GaugeSnapshot.builder().name(name).help(String.valueOf(helps.get(name)));
          each.forEach(gauge::dataPoint);
          all.metricSnapshot(gauge.build());
        });
    return all.build();
  }
}
