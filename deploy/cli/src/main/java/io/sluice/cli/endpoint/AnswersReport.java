package io.sluice.cli.endpoint;

import io.sluice.control.error.CheckFailedException;
import io.sluice.refine.synthesis.Tally;
import io.sluice.refine.synthesis.TokenBudget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was made of documents by asking, for people and as JSON.
 *
 * @param spent tokens, by all that ever wrote to the file of answers
 * @param budget of them, 0 for none
 */
public record AnswersReport(
    long seeds,
    long documents,
    long asked,
    long stored,
    Map<String, Long> refused,
    long left,
    long spent,
    long budget) {

  static AnswersReport of(Tally tally, TokenBudget budget) {
    long limit = budget.limit() == TokenBudget.UNLIMITED ? 0 : budget.limit();
    return new AnswersReport(
        tally.seeds(),
        tally.made(),
        tally.asked(),
        tally.stored(),
        tally.refused(),
        tally.left(),
        budget.spent(),
        limit);
  }

  /** In a line, while it goes on. */
  String progress() {
    return String.format(
        Locale.ROOT, "%,d documents of %,d seeds, %,d tokens", documents, seeds, spent);
  }

  /** In lines, at the end. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%,d documents of %,d seeds", documents, seeds));
    lines.add(
        String.format(
            Locale.ROOT, "%,d requests asked, %,d had their answers already", asked, stored));
    String of = budget == 0 ? "" : String.format(Locale.ROOT, " of %,d", budget);
    lines.add(String.format(Locale.ROOT, "%,d%s tokens spent in all", spent, of));
    refused.forEach(
        (kind, count) -> lines.add(String.format(Locale.ROOT, "%,d refused: %s", count, kind)));
    if (left > 0) {
      lines.add(String.format(Locale.ROOT, "%,d seeds left", left));
    }
    return lines;
  }

  /**
   * Refuses what is not of all documents.
   *
   * @throws CheckFailedException if the budget ended before them
   */
  public void requireWhole(Path out) {
    if (left > 0) {
      throw new CheckFailedException(
          "--budget-tokens ended it before "
              + left
              + " seeds: "
              + out
              + " has what came before; with a larger one the same command goes on");
    }
  }
}
