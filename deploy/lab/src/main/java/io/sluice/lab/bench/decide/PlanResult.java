package io.sluice.lab.bench.decide;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import io.sluice.lab.bench.measure.Stopwatch.Times;
import java.util.List;
import java.util.Locale;

/**
 * What a batch costs before a block is read.
 *
 * @param planMicros its counts, median
 * @param orderMicros its order, median
 * @param planBytes objects made for its counts
 * @param orderBytes objects made for its order
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record PlanResult(
    int domains,
    int batchSize,
    double planMicros,
    double orderMicros,
    double planBytes,
    double orderBytes,
    @JsonIgnore List<Spread> spreads) {

  static PlanResult of(int domains, int batchSize, Times plan, Times order) {
    return new PlanResult(
        domains,
        batchSize,
        plan.micros().median(),
        order.micros().median(),
        plan.allocatedBytes(),
        order.allocatedBytes(),
        List.of(plan.micros(), order.micros()));
  }

  static final List<String> HEAD =
      List.of("domains", "batch", "plan µs", "order µs", "both, µs/sequence", "kB of objects");

  List<String> row() {
    return List.of(
        Integer.toString(domains),
        Integer.toString(batchSize),
        spreads.get(0).text(1),
        spreads.get(1).text(1),
        String.format(Locale.ROOT, "%.3f", (planMicros + orderMicros) / batchSize),
        String.format(Locale.ROOT, "%.0f", (planBytes + orderBytes) / 1e3));
  }
}
