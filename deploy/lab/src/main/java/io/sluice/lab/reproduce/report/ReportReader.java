package io.sluice.lab.reproduce.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.error.BadInputException;
import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.claim.Outcome;
import io.sluice.lab.reproduce.claim.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads what {@link ReportJson} wrote, and judges it again: what is in the file of verdicts is not
 * taken from it. Courses are not read, since the file has them over all seeds.
 */
final class ReportReader {
  private ReportReader() {}

  static Report read(String source, byte[] json, Claims claims) {
    try {
      return report(new ObjectMapper().readTree(json), claims);
    } catch (IOException | IllegalArgumentException e) {
      throw new BadInputException(
          source + " must be a report of experiments: " + e.getMessage(), e);
    }
  }

  private static Report report(JsonNode root, Claims claims) {
    if (!root.path("format").asText().equals(ReportJson.FORMAT)
        || root.path("version").asInt() != ReportJson.VERSION) {
      throw new IllegalArgumentException(
          "'format' must be " + ReportJson.FORMAT + ", 'version' " + ReportJson.VERSION);
    }
    String hash = root.path("claimsSha256").asText();
    if (!hash.equals(claims.sha256())) {
      throw new IllegalArgumentException(
          "'claimsSha256' must be that of the claims, "
              + claims.sha256()
              + ": found '"
              + hash
              + "'");
    }
    Results.Builder results = Results.builder();
    SortedMap<String, List<String>> departures = new TreeMap<>();
    for (JsonNode experiment : root.path("experiments")) {
      String name = experiment.path("name").asText();
      List<String> lines = new ArrayList<>();
      experiment.path("departures").forEach(line -> lines.add(line.asText()));
      departures.put(name, lines);
      for (JsonNode arm : experiment.path("arms")) {
        for (JsonNode seed : arm.path("seeds")) {
          results.add(name, arm.path("name").asText(), seed.path("seed").asLong(), outcome(seed));
        }
      }
    }
    SortedMap<String, String> environment = new TreeMap<>();
    root.path("environment")
        .properties()
        .forEach(entry -> environment.put(entry.getKey(), entry.getValue().asText()));
    return Report.of(root.path("form").asText(), claims, results.build(), departures, environment);
  }

  private static Outcome outcome(JsonNode seed) {
    if (seed.has("failed")) {
      return new Outcome.Failed(seed.get("failed").asText());
    }
    SortedMap<String, Double> measures = new TreeMap<>();
    seed.path("measures")
        .properties()
        .forEach(
            entry -> {
              if (!entry.getValue().isNumber()) {
                throw new IllegalArgumentException(
                    "'measures." + entry.getKey() + "' must be a number: " + entry.getValue());
              }
              measures.put(entry.getKey(), entry.getValue().doubleValue());
            });
    return new Outcome.Finished(measures, new TreeMap<>());
  }
}
