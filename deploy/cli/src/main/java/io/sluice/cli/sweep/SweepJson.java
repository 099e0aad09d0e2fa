package io.sluice.cli.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.ParseReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The runs of a sweep as points that laws are fitted to: a mixture for each arm, and its losses as
 * means over the seeds.
 *
 * @param report as {@code sluice sweep --json} wrote it
 * @param domains that a run was granted something of
 * @param measured domains whose losses every arm has
 */
record SweepJson(SweepReport.Json report, List<String> domains, List<String> measured) {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /**
   * Reads the file.
   *
   * @throws BadInputException if it is none, or its runs have no domain in common
   */
  static SweepJson read(Path file) {
    try {
      return of(JSON.readValue(file.toFile(), SweepReport.Json.class));
    } catch (JsonProcessingException e) {
      throw refused(file, ParseReason.placed(e), e);
    } catch (IOException e) {
      throw refused(file, e.toString(), e);
    }
  }

  private static BadInputException refused(Path file, String found, IOException e) {
    return new BadInputException(
        "FILE must be what 'sluice sweep --json' wrote: " + file + ": " + found, e);
  }

  static SweepJson of(SweepReport.Json report) {
    Set<String> domains = new LinkedHashSet<>();
    Set<String> measured = new LinkedHashSet<>();
    List<SweepReport.Run> runs = new ArrayList<>();
    report.arms().forEach(arm -> runs.addAll(arm.runs()));
    runs.forEach(run -> domains.addAll(run.weights().keySet()));
    runs.forEach(run -> measured.addAll(run.losses().keySet()));
    runs.forEach(run -> measured.retainAll(run.losses().keySet()));
    if (measured.isEmpty()) {
      throw new IllegalArgumentException("no domain has a held-out loss in all of its runs");
    }
    return new SweepJson(report, List.copyOf(domains), List.copyOf(measured));
  }

  /** Arms that have a run. */
  List<SweepReport.Arm> arms() {
    return report.arms().stream().filter(arm -> !arm.runs().isEmpty()).toList();
  }

  /** Mixture of an arm, in the order of the domains: mean over its seeds of what was granted. */
  double[] mixture(SweepReport.Arm arm) {
    double[] mixture = new double[domains.size()];
    for (SweepReport.Run run : arm.runs()) {
      for (int i = 0; i < mixture.length; i++) {
        mixture[i] += run.weights().getOrDefault(domains.get(i), 0.0) / arm.runs().size();
      }
    }
    return mixture;
  }

  /** Mean over an arm's seeds of a domain's loss. */
  double loss(SweepReport.Arm arm, String domain) {
    return arm.runs().stream()
        .mapToDouble(run -> run.losses().getOrDefault(domain, Double.NaN))
        .average()
        .orElse(Double.NaN);
  }

  /** What each measured domain counts. */
  double[] aims() {
    Map<String, Double> aims = report.aims();
    return measured.stream()
        .mapToDouble(domain -> aims.isEmpty() ? 1 : aims.getOrDefault(domain, 0.0))
        .toArray();
  }
}
