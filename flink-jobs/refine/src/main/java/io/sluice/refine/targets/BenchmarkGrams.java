package io.sluice.refine.targets;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.text.Words;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The runs of 13 words in texts that must not be trained on, those of benchmarks and of target
 * sets: a document that has one of them is dropped (Brown et al., "Language Models are Few-Shot
 * Learners", 2020, appendix C). Immutable once built.
 *
 * <p>A text of 8 to 12 words counts as one run, of all its words; shorter ones, which are found by
 * chance, do not count. Differences to the paper: a document is dropped, not cut; and runs that
 * many documents have, such as licences, count as any other, as no one document knows of them.
 *
 * <p>Most places of a document are passed by after one look-up: whether any run begins with the 8
 * words there, whose hash is the last place's without its first word and with one more (Karp and
 * Rabin, "Efficient Randomized Pattern-Matching Algorithms", 1987).
 */
public final class BenchmarkGrams {
  /** The model's kind. */
  public static final String KIND = "benchmark-grams";

  /** Words of a run. */
  public static final int WORDS = 13;

  /** Words of the shortest text that counts. */
  public static final int FEWEST_WORDS = 8;

  /** Different runs of all texts. */
  public static final int MOST_GRAMS = 1 << 24;

  /** Benchmarks of a model. */
  public static final int MOST_BENCHMARKS = 4_096;

  private static final int LONGEST_NAME = 200;
  private static final String VERSION = "version";
  private static final String NAMES = "benchmarks";
  private static final String GRAMS = "grams";
  private static final String LENGTHS = "lengths";
  private static final String HEADS = "heads";
  private static final long BASE = 0x9E3779B97F4A7C15L;
  private static final String GRAMS_FILE = "grams.bin";
  private static final String OWNERS_FILE = "owners.bin";
  private static final String HEADS_FILE = "heads.bin";

  private final List<String> benchmarks;
  private final GramTable table;
  private final GramTable heads;
  private final int[] lengths;

  private BenchmarkGrams(List<String> benchmarks, GramTable table, GramTable heads, int lengths) {
    this.benchmarks = List.copyOf(benchmarks);
    this.table = table;
    this.heads = heads;
    this.lengths = lengthsOf(lengths);
  }

  /**
   * What a document has of a benchmark.
   *
   * @param benchmark its name
   * @param word the document's word, from 0, at which the run begins
   * @param words of the run
   */
  public record Hit(String benchmark, int word, int words) {}

  /** Takes texts. */
  public static final class Builder {
    private final Map<String, Integer> names = new LinkedHashMap<>();
    private final GramTable table = new GramTable(0);
    private final GramTable heads = new GramTable(0);
    private int lengths;

    private Builder() {}

    /**
     * Adds a text of a benchmark; runs that an earlier benchmark has stay that one's.
     *
     * @return whether it has words enough to count
     * @throws BadInputException if there are too many benchmarks or runs, or the name is empty or
     *     longer than 200 characters
     */
    public boolean add(String benchmark, String text) {
      Integer known = names.get(benchmark);
      int owner = known == null ? newOwner(benchmark) : known;
      Words words = Words.of(text);
      if (words.size() < FEWEST_WORDS) {
        return false;
      }
      long[] begun = heads(words);
      long[] grams = words.grams(WORDS);
      for (int word = 0; word < grams.length; word++) {
        table.add(grams[word], owner);
        heads.add(begun[word], 0);
        checkGrams(table.size());
      }
      lengths |= 1 << Math.min(WORDS, words.size());
      return true;
    }

    private int newOwner(String benchmark) {
      checkName(benchmark);
      checkBenchmarks(names.size() + 1);
      names.put(benchmark, names.size());
      return names.size() - 1;
    }

    /** What was added; not to be added to further. */
    public BenchmarkGrams build() {
      return new BenchmarkGrams(List.copyOf(names.keySet()), table, heads, lengths);
    }
  }

  /** Starts a model without texts. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads a model of this kind.
   *
   * @throws BadInputException if there is none, or it is damaged
   */
  public static BenchmarkGrams open(Path directory) {
    return of(ModelDirectory.open(directory, KIND, MOST_GRAMS * 18L));
  }

  /** The model that a directory has, of this kind; see {@link #open}. */
  public static BenchmarkGrams of(ModelDirectory model) {
    model.number(VERSION, 1, 1);
    List<String> names = new ArrayList<>();
    model.parameter(NAMES).forEach(name -> names.add(name.asText()));
    names.forEach(BenchmarkGrams::checkName);
    checkBenchmarks(names.size());
    int size = model.number(GRAMS, 0, MOST_GRAMS);
    int lengths = lengths(model);
    ByteBuffer grams = ByteBuffer.wrap(model.file(GRAMS_FILE, size * 8L));
    ByteBuffer owners = ByteBuffer.wrap(model.file(OWNERS_FILE, size * 2L));
    GramTable table = new GramTable(size);
    for (int i = 0; i < size; i++) {
      int owner = owners.getShort() & 0xffff;
      if (owner >= names.size()) {
        throw model.refused("it has " + names.size() + " benchmarks: found number " + owner);
      }
      table.add(grams.getLong(), owner);
    }
    int begun = model.number(HEADS, 0, size);
    ByteBuffer read = ByteBuffer.wrap(model.file(HEADS_FILE, begun * 8L));
    GramTable heads = new GramTable(begun);
    for (int i = 0; i < begun; i++) {
      heads.add(read.getLong(), 0);
    }
    return new BenchmarkGrams(names, table, heads, lengths);
  }

  /**
   * Writes the model: grams.bin has the hashes, ascending, 8 bytes each, owners.bin the numbers of
   * their benchmarks, 2 bytes each, and heads.bin the hashes of the runs' first 8 words, ascending,
   * 8 bytes each; all from high to low.
   */
  public ModelDirectory write(Path directory) {
    ObjectNode parameters =
        ModelDirectory.parameters()
            .put(VERSION, 1)
            .put(GRAMS, table.size())
            .put(HEADS, heads.size());
    ArrayNode names = parameters.putArray(NAMES);
    benchmarks.forEach(names::add);
    ArrayNode written = parameters.putArray(LENGTHS);
    for (int length : lengths) {
      written.add(length);
    }
    ByteBuffer grams = ByteBuffer.allocate(table.size() * 8);
    ByteBuffer owners = ByteBuffer.allocate(table.size() * 2);
    for (long gram : table.hashes()) {
      grams.putLong(gram);
      owners.putShort((short) table.get(gram));
    }
    ByteBuffer begun = ByteBuffer.allocate(heads.size() * 8);
    for (long head : heads.hashes()) {
      begun.putLong(head);
    }
    return ModelDirectory.write(
        directory,
        KIND,
        parameters,
        Map.of(GRAMS_FILE, grams.array(), OWNERS_FILE, owners.array(), HEADS_FILE, begun.array()));
  }

  /** Names of the benchmarks, in the order they were added in. */
  public List<String> benchmarks() {
    return benchmarks;
  }

  /** Different runs. */
  public int size() {
    return table.size();
  }

  /** The first run of a document's words that a benchmark has. */
  public Optional<Hit> first(Words document) {
    long[] begun = heads(document);
    for (int word = 0; word < begun.length; word++) {
      if (heads.get(begun[word]) >= 0) {
        Optional<Hit> hit = at(document, word);
        if (hit.isPresent()) {
          return hit;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Hit> at(Words document, int word) {
    for (int length : lengths) {
      if (word + length <= document.size()) {
        int owner = table.get(document.gram(word, length));
        if (owner >= 0) {
          return Optional.of(new Hit(benchmarks.get(owner), word, length));
        }
      }
    }
    return Optional.empty();
  }

  /** Hashes of all runs of 8 words, one for each place. */
  private static long[] heads(Words words) {
    long[] heads = new long[Math.max(0, words.size() - FEWEST_WORDS + 1)];
    long highest = 1;
    long head = 0;
    for (int i = 0; i < FEWEST_WORDS - 1 && i < words.size(); i++) {
      highest *= BASE;
      head = head * BASE + words.hash(i);
    }
    for (int i = 0; i < heads.length; i++) {
      heads[i] = head * BASE + words.hash(i + FEWEST_WORDS - 1);
      head = heads[i] - words.hash(i) * highest;
    }
    return heads;
  }

  private static int lengths(ModelDirectory model) {
    int lengths = 0;
    for (JsonNode length : model.parameter(LENGTHS)) {
      int words = length.asInt();
      if (words < FEWEST_WORDS || words > WORDS) {
        throw model.refused(
            "lengths of runs must be " + FEWEST_WORDS + " to " + WORDS + " words: found " + length);
      }
      lengths |= 1 << words;
    }
    return lengths;
  }

  private static int[] lengthsOf(int bits) {
    return IntStream.rangeClosed(FEWEST_WORDS, WORDS)
        .filter(length -> (bits & 1 << length) != 0)
        .toArray();
  }

  private static void checkName(String name) {
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      throw new BadInputException(
          "a benchmark's name must have 1 to %d characters: found %d"
              .formatted(LONGEST_NAME, name.length()));
    }
  }

  private static void checkBenchmarks(int count) {
    if (count > MOST_BENCHMARKS) {
      throw new BadInputException(
          "there must be at most " + MOST_BENCHMARKS + " benchmarks: found " + count);
    }
  }

  private static void checkGrams(int size) {
    if (size > MOST_GRAMS) {
      throw new BadInputException(
          "benchmarks must have at most %d different runs of %d words: found more"
              .formatted(MOST_GRAMS, WORDS));
    }
  }
}
