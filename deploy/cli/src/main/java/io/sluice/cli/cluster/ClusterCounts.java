package io.sluice.cli.cluster;

import io.sluice.cli.text.TextInput;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.Histogram;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts how many texts of files fall to each cluster of a model. */
record ClusterCounts(ClusterModel model, TextInput input, PrintWriter notices) {
  /** The histogram over the leaves, by descent. */
  Histogram of(List<String> paths) {
    Map<Integer, Long> counts = new TreeMap<>();
    ClusterTexts texts =
        new ClusterTexts(
            model.embedder(),
            (text, vector) -> counts.merge(model.tree().descend(vector), 1L, Long::sum));
    input.read(paths, notices, document -> texts.add(document.getText()));
    texts.flush();
    return Histogram.of(model.hash(), counts);
  }
}
