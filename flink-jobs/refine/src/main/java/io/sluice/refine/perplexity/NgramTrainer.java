package io.sluice.refine.perplexity;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.text.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts n-grams of texts, one text after the other, for an {@link NgramModel}. Not thread-safe.
 * The same texts in the same order give the same model.
 *
 * <p>Interpolated modified Kneser-Ney: Chen and Goodman (1998), "An Empirical Study of Smoothing
 * Techniques for Language Modeling", section 3, equation 25. With {@code h} the words before {@code
 * w}, {@code h'} all of them but the first, {@code c} counts and {@code D} the {@link Discounts}:
 *
 * <pre>
 * p(w | h) = (c(h w) - D(c(h w))) / c(h *) + left(h) p(w | h')
 * left(h)  = 1 - sum of (c(h v) - D(c(h v))) / c(h *), over the v that are kept
 * p(w)     = (c(w) - D(c(w))) / c(*) + left() / V
 * </pre>
 *
 * <p>Of the longest n-grams {@code c} is how often they were seen, of shorter ones after how many
 * different words. {@code V} is {@link NgramModel#OPEN_VOCABULARY}: all words that were never seen
 * have the same probability, and the sum over {@code V} words is 1.
 *
 * <p>Known differences: what begins a text has shorter contexts rather than a mark before it, so
 * that n-grams only seen there count as nothing where they are not the longest. When there is no
 * room for more n-grams of a length, those are dropped that were seen least, singletons first, and
 * the longer ones that they are part of; their share is left to the shorter ones, as the second
 * line says. What was dropped is new when it is seen again. Discounts are those of the counts
 * before anything was dropped.
 */
public final class NgramTrainer {
  private final NgramSettings settings;
  private final List<GramCounts> levels = new ArrayList<>();
  private final @Nullable Discounts[] discounts;
  private final int top;
  private int total;
  private long words;

  /** Nothing is counted. */
  public NgramTrainer(NgramSettings settings) {
    this.settings = settings;
    this.top = settings.order() - 1;
    this.discounts = new @Nullable Discounts[settings.order()];
    for (int level = 0; level <= top; level++) {
      levels.add(new GramCounts(settings.most(level)));
    }
  }

  /**
   * Counts a text.
   *
   * @throws BadInputException if there are more than 2,147,483,647 words in all
   */
  public void add(Words text) {
    words += text.size();
    if (words > Integer.MAX_VALUE) {
      throw new BadInputException(
          "a model must be trained on at most " + Integer.MAX_VALUE + " words: found more");
    }
    int[] before = new int[top + 1];
    int[] here = new int[top + 1];
    int known = 0;
    for (int word = 0; word < text.size(); word++) {
      if (makeRoom()) {
        // The places are others now.
        known = 0;
      }
      known = Math.min(known + 1, top + 1);
      for (int level = 0; level < known; level++) {
        long key = text.gram(word - level, level + 1);
        here[level] =
            level == 0
                ? count(0, key, 0, 0)
                : count(level, key, before[level - 1], here[level - 1]);
      }
      int[] reused = before;
      before = here;
      here = reused;
    }
  }

  /** How many words were counted. */
  public long words() {
    return words;
  }

  private int count(int level, long key, int context, int suffix) {
    int id = levels.get(level).find(key);
    if (id < 0) {
      id = levels.get(level).add(key, context, suffix);
      if (level > 0) {
        raise(level - 1, suffix);
      }
    }
    if (level == top) {
      raise(top, id);
    }
    return id;
  }

  private void raise(int level, int id) {
    levels.get(level).raiseCount(id);
    if (level == 0) {
      total++;
    } else {
      levels.get(level - 1).raiseTotal(levels.get(level).context(id));
    }
  }

  private boolean makeRoom() {
    boolean made = false;
    for (int level = 0; level <= top; level++) {
      if (levels.get(level).isFull()) {
        drop(level);
        made = true;
      }
    }
    return made;
  }

  private void drop(int level) {
    for (int longer = level; longer <= top; longer++) {
      discounts[longer] = discounts(longer);
    }
    GramCounts full = levels.get(level);
    int[] moved = full.keep(full.enough(), null);
    for (int longer = level + 1; longer <= top; longer++) {
      moved = levels.get(longer).keep(0, moved);
    }
  }

  private Discounts discounts(int level) {
    Discounts kept = discounts[level];
    return kept != null ? kept : Discounts.of(levels.get(level).countsOfCounts());
  }

  /** The model of what was counted so far. */
  public NgramModel model() {
    List<GramTable> tables = new ArrayList<>();
    double unseen = left(0, total, kept(0, 1)[0]) / NgramModel.OPEN_VOCABULARY;
    double unknown = unseen;
    double[] shorter = new double[0];
    double[] left = {unseen * NgramModel.OPEN_VOCABULARY};
    for (int level = 0; level <= top; level++) {
      GramCounts counts = levels.get(level);
      Discounts discount = discounts(level);
      double[] probabilities = new double[counts.size()];
      for (int i = 0; i < probabilities.length; i++) {
        int context = counts.context(i);
        int all = level == 0 ? total : levels.get(level - 1).total(context);
        double own = all == 0 ? 0 : discount.left(counts.count(i)) / all;
        double rest = level == 0 ? unknown : left[context] * shorter[counts.suffix(i)];
        probabilities[i] = own + rest;
      }
      left = lefts(level);
      tables.add(table(counts, probabilities, left));
      shorter = probabilities;
    }
    return new NgramModel(settings, words, unknown, tables);
  }

  /** What is left of each n-gram of a length, for words not seen after it. */
  private double[] lefts(int level) {
    GramCounts counts = levels.get(level);
    double[] left = new double[counts.size()];
    Arrays.fill(left, 1);
    if (level < top) {
      double[] kept = kept(level + 1, left.length);
      for (int i = 0; i < left.length; i++) {
        left[i] = left(level + 1, counts.total(i), kept[i]);
      }
    }
    return left;
  }

  private static double left(int level, int total, double kept) {
    double left = total == 0 ? 1 : (total - kept) / total;
    if (!(left > 0 && left <= 1)) {
      throw new IllegalStateException("level " + level + " leaves " + left);
    }
    return left;
  }

  /** Sums of discounted counts by context. */
  private double[] kept(int level, int contexts) {
    GramCounts counts = levels.get(level);
    Discounts discount = discounts(level);
    double[] kept = new double[contexts];
    for (int i = 0; i < counts.size(); i++) {
      kept[counts.context(i)] += discount.left(counts.count(i));
    }
    return kept;
  }

  private static GramTable table(GramCounts counts, double[] probabilities, double[] left) {
    long[] keys = counts.keys();
    Arrays.sort(keys);
    float[] sorted = new float[keys.length];
    float[] backOffs = new float[keys.length];
    GramTable table = new GramTable(keys, sorted, backOffs);
    for (int i = 0; i < keys.length; i++) {
      int place = table.find(counts.key(i));
      sorted[place] = (float) Math.min(1, probabilities[i]);
      backOffs[place] = (float) left[i];
    }
    return table;
  }
}
