package io.sluice.cli.dataset;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.Supply;
import io.sluice.schema.segment.InPlace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What became of the documents of a dataset's domains, as reports show it.
 *
 * @param domains 'documents' and 'tokens' of each by name, in the dataset's order; null for one of
 *     which nothing was counted
 * @param inPlace of them: files of others are their blocks, and nothing was taken
 */
record LedgerView(
    Map<String, @Nullable Map<String, Map<String, Long>>> domains, Set<String> inPlace) {
  private static final List<String> LEGEND =
      List.of(
          "# in: what this dataset took from the corpora so far, the sum of the others;"
              + " tokens with the padding that blocks were given",
          "# deadLetters: of preparing; what ingest refused is in no corpus: 'sluice domain list'"
              + " counts both");

  /**
   * What is committed of a dataset.
   *
   * @param prepared of each domain; those without a document are absent
   */
  static LedgerView of(DatasetSpec spec, Map<String, Supply> prepared) {
    Map<String, @Nullable Map<String, Map<String, Long>>> domains = new LinkedHashMap<>();
    for (String domain : spec.getDomains()) {
      Supply supply = prepared.get(domain);
      Ledger ledger = supply == null ? nothing() : supply.getLedger();
      domains.put(domain, ledger == null ? null : view(ledger));
    }
    return new LedgerView(domains, InPlace.domains(spec));
  }

  /** For people, as YAML. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.addAll(LEGEND);
    lines.add("ledger:");
    domains.forEach(
        (domain, counts) -> {
          if (counts == null) {
            lines.add("  " + domain + ": " + uncounted(domain));
          } else {
            lines.add("  " + domain + ":");
            counts.forEach((what, of) -> lines.add("    " + what + ": " + flow(of)));
          }
        });
    return lines;
  }

  private String uncounted(String domain) {
    return inPlace.contains(domain)
        ? "in place, nothing was taken"
        : "not counted from its beginning";
  }

  private static Ledger nothing() {
    LedgerCounts none = LedgerCounts.newBuilder().build();
    return new Ledger(none, none);
  }

  private static Map<String, Map<String, Long>> view(Ledger ledger) {
    Map<String, Map<String, Long>> view = new LinkedHashMap<>();
    view.put("documents", counts(ledger.getDocuments()));
    view.put("tokens", counts(ledger.getTokens()));
    return view;
  }

  private static Map<String, Long> counts(LedgerCounts of) {
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("in", of.getIn());
    counts.put("blocks", of.getBlocks());
    counts.put("padding", of.getPadding());
    counts.put("heldOut", of.getHeldOut());
    counts.put("buffered", of.getBuffered());
    counts.put("duplicates", of.getDuplicates());
    counts.put("forgotten", of.getForgotten());
    counts.put("deadLetters", of.getDeadLetters());
    return counts;
  }

  private static String flow(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .map(each -> each.getKey() + ": " + each.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
