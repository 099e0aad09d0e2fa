package io.sluice.lab.bench.fan;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.LowerCamelCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.sluice.cli.plot.TextTable;
import java.util.List;

/**
 * What the model says, next to what a broker counted.
 *
 * @param ratio of what was counted
 */
@JsonNaming(LowerCamelCaseStrategy.class)
record FanCheck(String what, double model, double measured, double ratio) {
  static final List<String> HEAD = List.of("what", "model", "measured", "measured / model");

  static FanCheck of(String what, double model, long measured) {
    return new FanCheck(what, model, (double) measured, measured / model);
  }

  List<String> row() {
    return List.of(what, FanRow.number(model), FanRow.number(measured), TextTable.fixed(3, ratio));
  }
}
