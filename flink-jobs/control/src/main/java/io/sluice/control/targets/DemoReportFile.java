package io.sluice.control.targets;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.ParseReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/** The report that {@code sluice demo --json} writes, as far as it tells of losses. */
public final class DemoReportFile {
  private final String key;
  private final Path file;
  private final JsonNode report;

  private DemoReportFile(String key, Path file, JsonNode report) {
    this.key = key;
    this.file = file;
    this.report = report;
  }

  /**
   * The losses of a report.
   *
   * @param key of the option that names the file, for messages
   * @throws BadInputException if the file is no such report
   */
  public static LossHistory read(String key, Path file) {
    try {
      return new DemoReportFile(key, file, new ObjectMapper().readTree(file.toFile())).history();
    } catch (JsonProcessingException e) {
      throw noReport(key, file, "not JSON: " + ParseReason.placed(e), e);
    } catch (IOException e) {
      throw noReport(key, file, e.toString(), e);
    }
  }

  private static BadInputException noReport(String key, Path file, String why, Exception e) {
    return new BadInputException(key + " must be a demo's --json file: " + file + ": " + why, e);
  }

  private LossHistory history() {
    List<String> domains = new ArrayList<>();
    report.path("domains").forEach(domain -> domains.add(domain.asText()));
    JsonNode rounds = report.path("evalLoss");
    if (domains.isEmpty() || rounds.isEmpty()) {
      throw bad(
          "must hold 'domains' and 'evalLoss', as a demo's --json file does",
          domains.size() + " domains, " + rounds.size() + " rounds");
    }
    double perStep = number("batchSize", 1) * number("sequenceLength", 1);
    SortedMap<Long, LossHistory.Round> measured = new TreeMap<>();
    for (JsonNode round : rounds) {
      JsonNode step = round.path("step");
      if (!step.canConvertToLong() || step.asLong() < 0) {
        throw bad("must have steps of at least 0 in 'evalLoss'", step);
      }
      double[] losses = losses(round.path("loss"), domains);
      measured.put(step.asLong(), new LossHistory.Round(step.asLong() * perStep, losses));
    }
    return new LossHistory(
        domains,
        initialShares(domains),
        measured,
        OptionalDouble.of(number("steps", 1) * perStep),
        report.path("versions").asInt(1) > 1);
  }

  private double[] losses(JsonNode loss, List<String> domains) {
    double[] values = new double[domains.size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode value = loss.path(domains.get(i));
      boolean good = value.isNumber() && value.doubleValue() > 0;
      if (!value.isMissingNode() && !value.isNull() && !good) {
        throw bad("loss of " + domains.get(i) + " must be a number above 0", value);
      }
      values[i] = good ? value.doubleValue() : Double.NaN;
    }
    return values;
  }

  /** Those of the first version; uniform ones if the report does not have them. */
  private double[] initialShares(List<String> domains) {
    double[] shares = new double[domains.size()];
    JsonNode weights = report.path("weights").path(0).path("weights");
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      shares[i] = weights.path(domains.get(i)).asDouble(0);
      sum += shares[i];
    }
    if (!(sum > 0)) {
      Arrays.fill(shares, 1.0 / shares.length);
    }
    return shares;
  }

  private double number(String field, double low) {
    JsonNode value = report.path(field);
    if (!value.isNumber() || value.doubleValue() < low) {
      throw bad("'" + field + "' must be a number of at least " + (long) low, value);
    }
    return value.doubleValue();
  }

  private BadInputException bad(String rule, Object actual) {
    return new BadInputException(key + " " + file + ": " + rule + ": " + actual);
  }
}
