package io.sluice.mixture.curriculum;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The perplexity curriculum of Llama-3-SynE: documents from easy to hard, cut into groups of about
 * equal tokens.
 *
 * <p>The paper leaves the cut open: here a document's group is {@code ⌊groups · tokens before it /
 * all tokens⌋}, so that one document never splits and a large one may leave groups empty. Ties go
 * by id.
 */
public final class PerplexityCurriculum {
  private PerplexityCurriculum() {}

  /**
   * A document before it has a place.
   *
   * @param perplexity under the base model, finite and above 0
   * @param tokens at least 0
   */
  public record Scored(long id, double perplexity, long tokens) {
    /** Checks that the document can be ordered. */
    public Scored {
      if (!(perplexity > 0) || Double.isInfinite(perplexity)) {
        throw new IllegalArgumentException(
            "perplexity of document " + id + " must be finite and above 0: " + perplexity);
      }
      if (tokens < 0) {
        throw new IllegalArgumentException(
            "tokens of document " + id + " must be at least 0: " + tokens);
      }
    }
  }

  /** A document's place: documents of a lower group come first. */
  public record Placed(long id, int group) {}

  /** Every document in its place, easiest first. */
  public static List<Placed> order(List<Scored> documents, int groups) {
    if (groups < 1) {
      throw new IllegalArgumentException("groups must be at least 1: " + groups);
    }
    List<Scored> sorted = new ArrayList<>(documents);
    sorted.sort(Comparator.comparingDouble(Scored::perplexity).thenComparingLong(Scored::id));
    long total = Math.max(1, documents.stream().mapToLong(Scored::tokens).sum());
    List<Placed> placed = new ArrayList<>();
    long before = 0;
    for (Scored document : sorted) {
      long group = Math.multiplyExact((long) groups, before) / total;
      placed.add(new Placed(document.id(), (int) Math.min(groups - 1, group)));
      before += document.tokens();
    }
    return placed;
  }
}
