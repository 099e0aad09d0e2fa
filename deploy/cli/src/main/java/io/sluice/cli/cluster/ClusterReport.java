package io.sluice.cli.cluster;

import io.sluice.cli.plot.TextTable;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.LevelSummary;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model of clusters is.
 *
 * @param model its hash
 * @param embedder its embedder's version
 * @param dimension of its vectors
 * @param branching most clusters of a cluster
 * @param documents that it was fitted to
 * @param vectors of the sample of them that was used
 * @param levels what came out at each
 */
record ClusterReport(
    String model,
    String embedder,
    int dimension,
    int branching,
    long documents,
    int vectors,
    List<LevelSummary> levels) {
  static ClusterReport of(ClusterModel model) {
    return new ClusterReport(
        model.hash(),
        model.embedder().version(),
        model.tree().dimension(),
        model.tree().branching(),
        model.fit().documents(),
        model.fit().vectors(),
        model.fit().levels());
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("model " + model);
    lines.add("embedder " + embedder);
    String all = vectors == documents ? "all" : "a sample of " + vectors + " (" + percent() + ")";
    lines.add("fitted to " + documents + " documents, " + all + " of them used");
    lines.add("");
    TextTable table =
        new TextTable(List.of("level", "clusters", "inertia", "smallest", "median", "largest"));
    for (int i = 0; i < levels.size(); i++) {
      LevelSummary level = levels.get(i);
      table.add(
          List.of(
              Integer.toString(i + 1),
              Integer.toString(level.clusters()),
              TextTable.fixed(3, level.inertia()),
              Integer.toString(level.smallest()),
              Integer.toString(level.median()),
              Integer.toString(level.largest())));
    }
    lines.addAll(table.lines());
    return lines;
  }

  private String percent() {
    return TextTable.fixed(2, 100.0 * vectors / documents) + " %";
  }
}
