package io.sluice.refine.classify;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How well labels are told, with texts that were not learned from.
 *
 * @param labels scores, in the classifier's order
 * @param macroF1 mean of F1 over the labels that any text has; 0 if there is no text
 * @param accuracy share of texts that got their label; 0 if there is no text
 * @param confusion number of texts by the label that they have (row) and got (column)
 */
public record Evaluation(
    List<LabelScore> labels, double macroF1, double accuracy, List<List<Integer>> confusion) {
  /** Copies the lists. */
  public Evaluation {
    labels = List.copyOf(labels);
    confusion = confusion.stream().map(List::copyOf).toList();
  }

  /** The scores that follow from a confusion matrix. */
  static Evaluation of(List<String> names, int[][] confusion) {
    List<LabelScore> scores = new ArrayList<>();
    int all = 0;
    int right = 0;
    for (int i = 0; i < names.size(); i++) {
      int label = i;
      int have = IntStream.of(confusion[i]).sum();
      int got = IntStream.range(0, names.size()).map(row -> confusion[row][label]).sum();
      int both = confusion[i][i];
      scores.add(
          new LabelScore(
              names.get(i),
              have,
              share(both, got),
              share(both, have),
              share(2 * both, have + got)));
      all += have;
      right += both;
    }
    double macroF1 =
        scores.stream()
            .filter(score -> score.texts() > 0)
            .mapToDouble(LabelScore::f1)
            .average()
            .orElse(0);
    List<List<Integer>> rows = new ArrayList<>();
    for (int[] row : confusion) {
      rows.add(IntStream.of(row).boxed().toList());
    }
    return new Evaluation(scores, macroF1, share(right, all), rows);
  }

  /** How many texts it is of. */
  public int texts() {
    return labels.stream().mapToInt(LabelScore::texts).sum();
  }

  private static double share(int part, int whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
