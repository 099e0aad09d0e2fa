package io.sluice.lab.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The held-out losses that an earlier demo wrote. */
final class RecordedLosses {
  private RecordedLosses() {}

  /**
   * Losses by step and domain.
   *
   * @throws BadInputException if the file is no report of a demo
   */
  static SortedMap<Long, Map<String, Double>> read(Path file) {
    JsonNode rounds;
    try {
      rounds = new ObjectMapper().readTree(file.toFile()).path("evalLoss");
    } catch (IOException e) {
      throw new BadInputException("--replay must be a demo's --json file: " + file + ": " + e, e);
    }
    SortedMap<Long, Map<String, Double>> losses = new TreeMap<>();
    for (JsonNode round : rounds) {
      Map<String, Double> byDomain = new LinkedHashMap<>();
      round.path("loss").properties().forEach(e -> byDomain.put(e.getKey(), number(e, file)));
      losses.put(round.path("step").asLong(-1), byDomain);
    }
    if (losses.isEmpty() || losses.firstKey() < 0) {
      throw new BadInputException("--replay must hold evalLoss with steps from 0: " + file);
    }
    return Collections.unmodifiableSortedMap(losses);
  }

  private static double number(Map.Entry<String, JsonNode> entry, Path file) {
    if (!entry.getValue().isNumber()) {
      throw new BadInputException(
          "--replay: loss of "
              + entry.getKey()
              + " must be a number: "
              + entry.getValue()
              + " in "
              + file);
    }
    return entry.getValue().doubleValue();
  }
}
