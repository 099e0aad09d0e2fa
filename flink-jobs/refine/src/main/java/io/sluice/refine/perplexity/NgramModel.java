package io.sluice.refine.perplexity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.text.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A language model of n-grams of words, for how difficult a document is where no neural model is at
 * hand: Llama-3-SynE, section 4.1.2, orders texts by perplexity. Immutable. {@link NgramTrainer}
 * makes one, and has its formula.
 *
 * <p>Every word has a probability above 0 after any others, so that a perplexity is always finite;
 * all of {@link #OPEN_VOCABULARY} words together have 1.
 */
public final class NgramModel implements PerplexityModel {
  /** The kind of its directory. */
  public static final String KIND = "ngram-perplexity";

  /** How many different words there are, seen or not. */
  public static final int OPEN_VOCABULARY = 1 << 22;

  private static final String ORDER = "order";
  private static final String MOST = "most-ngrams";
  private static final String FIRST = "first-words";
  private static final String WORDS = "words";
  private static final String UNKNOWN = "unknown";
  private static final String SIZES = "ngrams";

  private final NgramSettings settings;
  private final long words;
  private final double unknown;
  private final List<GramTable> tables;

  NgramModel(NgramSettings settings, long words, double unknown, List<GramTable> tables) {
    this.settings = settings;
    this.words = words;
    this.unknown = unknown;
    this.tables = List.copyOf(tables);
  }

  /**
   * The model of a directory that was read.
   *
   * @throws io.sluice.control.error.BadInputException if it is damaged
   */
  public static NgramModel of(ModelDirectory directory) {
    NgramSettings settings =
        new NgramSettings(
            directory.number(ORDER, 1, NgramSettings.HIGHEST_ORDER),
            directory.number(MOST, NgramSettings.FEWEST_NGRAMS, NgramSettings.MOST_NGRAMS),
            directory.number(FIRST, 1, NgramSettings.MOST_WORDS));
    double unknown = directory.parameter(UNKNOWN).asDouble();
    if (!(unknown >= Float.MIN_VALUE && unknown <= 1)) {
      throw directory.refused(
          UNKNOWN + " must be a probability above 0: found " + directory.parameter(UNKNOWN));
    }
    List<GramTable> tables = new ArrayList<>();
    for (int level = 0; level < settings.order(); level++) {
      JsonNode size = directory.parameter(SIZES).path(level);
      if (!size.isInt() || size.intValue() < 0 || size.intValue() > settings.most(level)) {
        throw directory.refused(
            SIZES
                + " must be whole numbers, here up to "
                + settings.most(level)
                + ": found "
                + size);
      }
      byte[] file = directory.file(file(level), GramTable.bytes(size.intValue()));
      try {
        tables.add(GramTable.of(file, size.intValue()));
      } catch (IllegalArgumentException e) {
        throw directory.refused(file(level) + " is damaged: " + e.getMessage());
      }
    }
    return new NgramModel(settings, directory.number(WORDS, 0, Integer.MAX_VALUE), unknown, tables);
  }

  /** Writes it into a directory, as {@link ModelDirectory#write} does. */
  public ModelDirectory write(Path directory) {
    ObjectNode parameters =
        ModelDirectory.parameters()
            .put(ORDER, settings.order())
            .put(MOST, settings.mostNgrams())
            .put(FIRST, settings.firstWords())
            .put(WORDS, words)
            .put(UNKNOWN, unknown);
    Map<String, byte[]> files = new HashMap<>();
    for (int level = 0; level < tables.size(); level++) {
      parameters.withArray(SIZES).add(tables.get(level).size());
      files.put(file(level), tables.get(level).bytes());
    }
    return ModelDirectory.write(directory, KIND, parameters, files);
  }

  private static String file(int level) {
    return "ngrams-" + (level + 1) + ".bin";
  }

  @Override
  public OptionalDouble perplexity(String text, Words words) {
    return perplexity(words);
  }

  /**
   * The perplexity of a text's first words, {@code exp(-1/n sum of ln p(w_i | words before))}:
   * finite and at least 1; none of a text without words.
   */
  public OptionalDouble perplexity(Words text) {
    int scored = scored(text);
    return scored == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.exp(-logProbability(text) / scored));
  }

  /** How many words of a text count. */
  public int scored(Words text) {
    return Math.min(text.size(), settings.firstWords());
  }

  /** Natural logarithm of the probability of the words of a text that count. */
  public double logProbability(Words text) {
    double sum = 0;
    for (int word = 0; word < scored(text); word++) {
      sum += Math.log(probability(text, word));
    }
    return sum;
  }

  /** Probability of a word of a text, by its place from 0, after those before it. */
  double probability(Words text, int word) {
    double share = 1;
    for (int level = Math.min(word, settings.order() - 1); level > 0; level--) {
      GramTable table = tables.get(level);
      int place = table.find(text.gram(word - level, level + 1));
      if (place >= 0) {
        return share * table.probability(place);
      }
      GramTable contexts = tables.get(level - 1);
      int context = contexts.find(text.gram(word - level, level));
      if (context >= 0) {
        share *= contexts.backOff(context);
      }
    }
    int place = tables.get(0).find(text.gram(word, 1));
    return share * (place >= 0 ? tables.get(0).probability(place) : unknown);
  }

  /** How many n-grams it has, by their length from 1. */
  public List<Integer> ngrams() {
    return tables.stream().map(GramTable::size).toList();
  }

  /** How many words it was trained on. */
  public long words() {
    return words;
  }
}
