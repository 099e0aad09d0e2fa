package io.sluice.cli.dataset;

import io.sluice.jobs.prepare.shuffle.ShuffleQuality;
import io.sluice.jobs.prepare.shuffle.ShuffleQuality.Measure;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.Supply;
import io.sluice.schema.segment.InPlace;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How well a dataset's buffer shuffles, as reports show it: that of the domain with the most
 * documents, which is mixed least.
 *
 * @param domain it is said of
 */
record ShuffleView(String domain, ShuffleQuality quality) {
  /**
   * What is said of a dataset; empty while no domain has two documents. A buffer shuffles none of
   * the domains that are in place.
   *
   * @param prepared of each domain
   */
  static Optional<ShuffleView> of(DatasetSpec spec, Map<String, Supply> prepared) {
    Set<String> inPlace = InPlace.domains(spec);
    return prepared.entrySet().stream()
        .filter(domain -> !inPlace.contains(domain.getKey()))
        .max(Comparator.comparingLong(each -> trained(each.getValue())))
        .flatMap(
            largest ->
                ShuffleQuality.of(spec, largest.getKey(), trained(largest.getValue()))
                    .map(quality -> new ShuffleView(largest.getKey(), quality)));
  }

  /** For programs. */
  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("domain", domain);
    report.put("documents", quality.documents());
    report.put("neighbour-distance", quality.distance());
    report.put("pairs-kept", quality.kept());
    report.put("source-variance", quality.variance());
    return report;
  }

  /** For people, as YAML. */
  List<String> lines() {
    return List.of(
        "shuffle: # beside what a shuffle of all documents at once is expected to give",
        "  domain: " + domain + " # with the most documents",
        String.format(Locale.ROOT, "  documents: %d", quality.documents()),
        line("neighbour-distance", quality.distance()),
        line("pairs-kept", quality.kept()),
        line("source-variance", quality.variance()));
  }

  private static String line(String key, Measure measure) {
    return String.format(
        Locale.ROOT, "  %s: {here: %.3g, global: %.3g}", key, measure.here(), measure.global());
  }

  private static long trained(Supply supply) {
    Ledger ledger = supply.getLedger();
    return ledger == null
        ? supply.getDocuments()
        : ledger.getDocuments().getIn()
            - ledger.getDocuments().getDeadLetters()
            - ledger.getDocuments().getHeldOut();
  }
}
