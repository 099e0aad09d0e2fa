package io.sluice.lab.bench.decide;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.List;
import java.util.Locale;

/**
 * What a policy's decision costs.
 *
 * @param micros of one round, median
 * @param allocatedBytes objects made in it
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record PolicyResult(
    String policy, int domains, double micros, double allocatedBytes, @JsonIgnore Spread spread) {

  static final List<String> HEAD = List.of("policy", "domains", "round µs", "kB of objects");

  List<String> row() {
    return List.of(
        policy,
        Integer.toString(domains),
        spread.text(1),
        String.format(Locale.ROOT, "%.1f", allocatedBytes / 1e3));
  }
}
