package io.sluice.lab.bench.refine;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.lab.bench.measure.Spread;
import java.util.List;
import java.util.Locale;

/**
 * How fast a step examines documents.
 *
 * @param documentsPerSecond of all threads, median
 * @param ofWords its share of the rate at which the same threads only find the words' hashes
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record RefineResult(
    String step,
    int threads,
    double documentsPerSecond,
    double ofWords,
    @JsonIgnore Spread spread) {
  static final List<String> HEAD = List.of("step", "threads", "documents/s", "× words alone");

  List<String> row() {
    return List.of(
        step,
        Integer.toString(threads),
        spread.text(0),
        String.format(Locale.ROOT, "%.2f", ofWords));
  }
}
