package io.sluice.cli.cluster;

import io.sluice.cli.plot.TextTable;
import io.sluice.refine.cluster.Histogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A histogram as text.
 *
 * @param histogram of the clusters
 * @param clusters ids of all that there are
 */
record HistogramReport(Histogram histogram, int[] clusters) {
  private static final int MOST_ROWS = 64;

  /** A table, the largest shares first, and the clusters that nothing fell to. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        histogram.documents()
            + " documents in "
            + histogram.weights().size()
            + " of "
            + clusters.length
            + " clusters of model "
            + histogram.clusters());
    lines.add("");
    List<Integer> largest =
        histogram.weights().keySet().stream()
            .sorted((a, b) -> Double.compare(histogram.weight(b), histogram.weight(a)))
            .toList();
    TextTable table = new TextTable(List.of("cluster", "documents", "share"));
    for (int cluster : largest.subList(0, Math.min(MOST_ROWS, largest.size()))) {
      table.add(
          List.of(
              Integer.toString(cluster),
              Long.toString(histogram.count(cluster)),
              TextTable.fixed(6, histogram.weight(cluster))));
    }
    lines.addAll(table.lines());
    if (largest.size() > MOST_ROWS) {
      lines.add("and " + (largest.size() - MOST_ROWS) + " more, which --json has");
    }
    lines.addAll(empty("without documents", Integer::toString));
    return lines;
  }

  /** Settings of the two policies that take a histogram, a document of YAML each. */
  List<String> settings(HistogramNames names) {
    List<String> lines = new ArrayList<>();
    lines.add("# " + histogram.documents() + " documents, model " + histogram.clusters());
    empty("without documents, whose domains get weight 0", names::domain)
        .forEach(line -> lines.add("# " + line));
    lines.add("policy:");
    lines.add("  importance-sampling:");
    lines.add("    histogram:");
    for (int cluster : histogram.weights().keySet()) {
      lines.add("      " + names.domain(cluster) + ": " + histogram.count(cluster));
    }
    lines.add("---");
    lines.add("policy:");
    lines.add("  dga-distribution:");
    lines.add("    basis:");
    lines.add(
        histogram.weights().entrySet().stream()
            .map(weight -> names.domain(weight.getKey()) + "=" + weight.getValue())
            .collect(Collectors.joining(" ", "      " + names.basis() + ": ", "")));
    return lines;
  }

  /** A line that names the clusters that nothing fell to, none if there is no such cluster. */
  private List<String> empty(String what, IntFunction<String> name) {
    List<String> empty =
        Arrays.stream(clusters)
            .filter(cluster -> histogram.weight(cluster) == 0)
            .mapToObj(name)
            .toList();
    return empty.isEmpty()
        ? List.of()
        : List.of(empty.size() + " clusters " + what + ": " + String.join(", ", empty));
  }
}
