package io.sluice.cli.cluster;

import io.sluice.cli.plot.TextTable;
import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.basis.TopicOutlook;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a model of basis topics is.
 *
 * @param model its hash
 * @param clusters hash of the model whose clusters it is of
 * @param scale copies of a topic as a share of the pool's documents
 * @param maxCopies most copies of a document in a topic
 * @param seed of the draws
 * @param topics what each is expected to become
 */
record BasisReport(
    String model,
    String clusters,
    double scale,
    int maxCopies,
    long seed,
    List<TopicOutlook> topics) {
  static BasisReport of(BasisModel model) {
    return new BasisReport(
        model.hash(),
        model.clusters(),
        model.resampling().scale(),
        model.resampling().maxCopies(),
        model.resampling().seed(),
        IntStream.range(0, model.topics().size()).mapToObj(model.topics()::outlook).toList());
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("model " + model);
    lines.add("clusters of model " + clusters);
    lines.add("scale " + scale + ", at most " + maxCopies + " copies of a document, seed " + seed);
    lines.add("");
    TextTable table =
        new TextTable(List.of("topic", "copies", "effective documents", "unreached", "cut"));
    for (TopicOutlook topic : topics) {
      table.add(
          List.of(
              topic.name(),
              TextTable.fixed(1, topic.copies()),
              TextTable.fixed(1, topic.effectiveSize()),
              TextTable.fixed(4, topic.unreached()),
              TextTable.fixed(4, topic.cut())));
    }
    lines.addAll(table.lines());
    return lines;
  }
}
