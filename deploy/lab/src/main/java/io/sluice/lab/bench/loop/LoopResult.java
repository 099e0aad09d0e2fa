package io.sluice.lab.bench.loop;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.List;
import java.util.Locale;

/** How long the loop takes, for each number of domains. */
record LoopResult(List<Point> points) {
  static final List<String> HEAD =
      List.of("domains", "from feedback sent", "p50 ms", "p99 ms", "× log p50");

  /**
   * How long the loop takes, in milliseconds.
   *
   * @param feedbackToGrantMs from sending a step's feedback until its grant can be read
   * @param feedbackToBlockMs until the first sequence under the new weights can be read
   * @param reportToGrantMs from the bytes of a report to those of its grant, in the controller
   * @param logRoundTripMs from sending a record until it can be read: the loop needs at least three
   * @param rounds that were measured
   */
  @JsonNaming(LowerCamelCaseStrategy.class)
  record Point(
      int domains,
      Latency feedbackToGrantMs,
      Latency feedbackToBlockMs,
      Latency reportToGrantMs,
      Latency logRoundTripMs,
      int rounds) {
    private List<List<String>> rows() {
      return List.of(
          row("to grant readable", feedbackToGrantMs),
          row("to first new sequence readable", feedbackToBlockMs),
          row("(of it, report read to grant written)", reportToGrantMs),
          row("(a record through the log)", logRoundTripMs));
    }

    private List<String> row(String what, Latency latency) {
      return List.of(
          Integer.toString(domains),
          what,
          String.format(Locale.ROOT, "%.2f", latency.p50()),
          String.format(Locale.ROOT, "%.2f", latency.p99()),
          String.format(Locale.ROOT, "%.2f", latency.p50() / logRoundTripMs.p50()));
    }
  }

  /** Median and 99th percentile. */
  record Latency(double p50, double p99) {
    /** Of at least one time in nanoseconds. */
    static Latency ofNanos(List<Long> nanos) {
      double[] sorted = nanos.stream().mapToDouble(n -> n / 1e6).sorted().toArray();
      return new Latency(Spread.quantile(sorted, 0.5), Spread.quantile(sorted, 0.99));
    }
  }

  /** The rows of a table. */
  List<List<String>> rows() {
    return points.stream().flatMap(point -> point.rows().stream()).toList();
  }
}
