package io.sluice.lab.bench.start;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * How long new runs take to their first batch, in milliseconds, and where that goes.
 *
 * @param applyToFirstBatchMs by the number of domains
 * @param parts by the number of domains, and what is waited for
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record StartResult(
    Map<Integer, Times> applyToFirstBatchMs, Map<Integer, Map<String, Times>> parts) {
  static final List<String> HEAD = List.of("domains", "from apply", "p50 ms", "max ms");

  private static final Map<String, ToLongFunction<StartedRun>> PARTS = new LinkedHashMap<>();

  static {
    PARTS.put("topics made, job asked", StartedRun::asked);
    PARTS.put("job has started it", StartedRun::started);
    PARTS.put("stream opened", StartedRun::opened);
    PARTS.put("first batch read", StartedRun::first);
  }

  /** Median and greatest. */
  record Times(double p50, double max) {
    private static Times of(List<StartedRun> runs, ToLongFunction<StartedRun> time) {
      double[] sorted = runs.stream().mapToDouble(run -> time.applyAsLong(run) / 1e6).toArray();
      Arrays.sort(sorted);
      return new Times(Spread.quantile(sorted, 0.5), sorted[sorted.length - 1]);
    }
  }

  /** Of the runs that were started for each number of domains. */
  static StartResult of(Map<Integer, List<StartedRun>> runs) {
    Map<Integer, Times> whole = new LinkedHashMap<>();
    Map<Integer, Map<String, Times>> parts = new LinkedHashMap<>();
    runs.forEach(
        (domains, each) -> {
          whole.put(domains, Times.of(each, StartedRun::whole));
          Map<String, Times> of = new LinkedHashMap<>();
          PARTS.forEach((what, time) -> of.put(what, Times.of(each, time)));
          parts.put(domains, of);
        });
    return new StartResult(whole, parts);
  }

  /** The rows of a table: the whole first, what it consists of below. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    applyToFirstBatchMs.forEach(
        (domains, whole) -> {
          rows.add(row(domains, "to the first batch", whole));
          parts
              .getOrDefault(domains, Map.of())
              .forEach((what, times) -> rows.add(row(domains, "(of it, " + what + ")", times)));
        });
    return rows;
  }

  private static List<String> row(int domains, String what, Times times) {
    return List.of(
        Integer.toString(domains),
        what,
        String.format(Locale.ROOT, "%.0f", times.p50()),
        String.format(Locale.ROOT, "%.0f", times.max()));
  }
}
