package io.sluice.cli.model;

import io.sluice.cli.plot.TextTable;
import io.sluice.refine.classify.Evaluation;
import io.sluice.refine.classify.LabelScore;
import io.sluice.refine.classify.TextClassifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A classifier, and what was measured of it, as text and as JSON.
 *
 * @param summary of its size and of what it looks at
 * @param texts that each label was learned from; empty if nobody knows
 * @param evaluation null if nothing was measured
 */
record ClassifierReport(
    String model,
    String hash,
    String summary,
    List<String> labels,
    Map<String, Integer> texts,
    @Nullable Evaluation evaluation) {
  /** Labels whose confusion still fits a screen. */
  private static final int WIDEST = 16;

  static ClassifierReport of(
      Path path, String hash, TextClassifier classifier, Optional<Evaluation> evaluation) {
    Map<String, Integer> texts = new LinkedHashMap<>();
    for (int label = 0; label < classifier.texts().size(); label++) {
      texts.put(classifier.labels().get(label), classifier.texts().get(label));
    }
    return new ClassifierReport(
        path.toString(),
        hash,
        classifier.summary(),
        classifier.labels(),
        texts,
        evaluation.orElse(null));
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.addAll(evaluation == null ? learned() : measured(evaluation));
    lines.add("");
    lines.add("model " + hash + " in " + model + ": " + summary);
    return lines;
  }

  private List<String> learned() {
    TextTable table = new TextTable(List.of("label", "learned from"));
    labels.forEach(label -> table.add(List.of(label, learned(label))));
    return table.lines();
  }

  private List<String> measured(Evaluation evaluation) {
    TextTable table =
        new TextTable(
            List.of("label", "learned from", "measured with", "precision", "recall", "F1"));
    for (LabelScore score : evaluation.labels()) {
      boolean has = score.texts() > 0;
      table.add(
          List.of(
              score.label(),
              learned(score.label()),
              Integer.toString(score.texts()),
              has ? TextTable.fixed(3, score.precision()) : "-",
              has ? TextTable.fixed(3, score.recall()) : "-",
              has ? TextTable.fixed(3, score.f1()) : "-"));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "macro F1 %.4f, accuracy %.4f, of %d texts",
            evaluation.macroF1(),
            evaluation.accuracy(),
            evaluation.texts()));
    lines.add("");
    lines.addAll(confusion(evaluation));
    return lines;
  }

  private String learned(String label) {
    Integer count = texts.get(label);
    return count == null ? "-" : count.toString();
  }

  private List<String> confusion(Evaluation evaluation) {
    if (labels.size() > WIDEST) {
      return List.of("the confusion of so many labels is in what --json writes alone");
    }
    List<String> head = new ArrayList<>(List.of("label / told"));
    head.addAll(labels);
    TextTable table = new TextTable(head);
    for (int row = 0; row < labels.size(); row++) {
      List<String> cells = new ArrayList<>(List.of(labels.get(row)));
      evaluation.confusion().get(row).forEach(count -> cells.add(count.toString()));
      table.add(cells);
    }
    return table.lines();
  }
}
