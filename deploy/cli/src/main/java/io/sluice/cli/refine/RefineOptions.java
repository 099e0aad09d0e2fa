package io.sluice.cli.refine;

import io.sluice.control.config.Option;
import io.sluice.refine.decide.DomainPattern;
import io.sluice.refine.step.StepNames;
import java.util.List;
import java.util.stream.Stream;

/** Every key of {@code refine.yaml}. */
public final class RefineOptions {
  static final Option<String> REFINERY =
      Option.text(
          "refinery", "1 to 63 letters, digits, '-' and '_'", "topics", "Name of the refinery.");

  static final Option<List<String>> INPUTS =
      new Option<>(
          "inputs",
          "list of texts",
          "1 to 256 names of domains",
          "",
          "[web]",
          "Domains whose documents are refined, in the order in which a round reads them.",
          (section, key) -> section.texts(key));

  static final Option<String> DOMAINS =
      Option.text(
          "domains",
          "a name with {input}, {topic}, {perplexity}, {cluster} or {basis} in it, at most "
              + DomainPattern.MOST_DOMAINS
              + " in all",
          "\"web-{topic}\"",
          "The domain that a document goes to.");

  static final Option<String> BENCHMARK_MODEL =
      model(
          StepNames.BENCHMARK,
          "a benchmark-grams",
          "Documents that share 13 words in a row with a benchmark are left out; 'sluice benchmark index'"
              + " makes one.");

  static final Option<String> MEMORY =
      Option.oneOf(
          "duplicates.memory",
          List.of("state", "filters"),
          "state",
          "Each document is kept with its signature, some 1.2 kB on disk, so that candidates are"
              + " verified and twins are named; or filters of some 50 bytes a document on the heap,"
              + " which name no twin and drop whatever shares a band.");

  static final Option<Double> SIMILARITY =
      Option.number(
          "duplicates.similarity",
          0.1,
          1,
          0.7,
          "0.8",
          "Least estimated Jaccard index of two documents' sets of n-grams; with memory: state.");

  static final Option<Long> WORDS =
      Option.count(
          "duplicates.words", "", 1, 64, 5L, "5", "Words of an n-gram; characters of Chinese.");

  static final Option<Long> BANDS =
      Option.count("duplicates.bands", "", 1, 100, 20L, "14", "Bands of a signature.");

  static final Option<Long> ROWS =
      Option.count(
          "duplicates.rows",
          "",
          1,
          50,
          7L,
          "8",
          "Rows of a band: two documents of index J are compared with odds of 1 - (1 - J^rows)^bands.");

  static final Option<Long> DOCUMENTS =
      Option.count(
          "duplicates.documents",
          "documents",
          1,
          1L << 40,
          100_000_000L,
          "10M documents",
          "How many documents are known at a time, the last ones; filters are made for so many, and"
              + " forget none.");

  static final Option<Double> FALSE_DROPS =
      Option.number(
          "duplicates.false-drops",
          0.000_001,
          0.5,
          0.001,
          "0.0001",
          "Share of documents that filters drop by mistake once they have so many as they were made"
              + " for.");

  static final Option<List<String>> TARGET_DOMAINS =
      new Option<>(
          "targets.domains",
          "list of texts",
          "names of domains that are not in inputs",
          "",
          "[gsm, mmlu]",
          "Target sets, read before the inputs in each round: documents go to the"
              + " domain of one side, and what is like them goes nowhere.",
          (section, key) -> section.texts(key));

  static final Option<String> INTO =
      new Option<>(
          "targets.into",
          "text",
          "a name with {input} and {side} in it",
          "\"{input}-{side}\"",
          "\"clean-{input}-{side}\"",
          "Domains of the sides 'steers' and 'tests'; each is written by one refinery.",
          (section, key) -> section.text(key, "{input}-{side}"));

  static final Option<Double> TESTS =
      Option.number(
          "targets.tests",
          0,
          1,
          0.5,
          "0.3",
          "Share of a target set's documents that test; the others steer.");

  static final Option<Long> TARGET_SEED =
      Option.count("targets.seed", "", 0, 1L << 52, 1L, "7", "Another one gives another division.");

  static final Option<Double> TARGET_SIMILARITY =
      Option.number(
          "targets.similarity",
          0.1,
          1,
          0.6,
          "0.5",
          "Least estimated Jaccard index at which a document counts as one like a target document;"
              + " lower than that of duplicates, as what stays in costs more than what goes.");

  static final Option<String> TOPIC_MODEL =
      model(
          StepNames.TOPIC,
          "a linear-classifier or neural-classifier",
          "What a document is about is told; 'sluice classifier train' or 'import' makes one.");

  static final Option<String> PERPLEXITY_MODEL =
      model(
          StepNames.PERPLEXITY,
          "an ngram-perplexity or neural-perplexity",
          "How hard a document is, is told; 'sluice perplexity train' or 'import' makes one.");

  static final Option<Long> BUCKETS =
      Option.count(
          "perplexity.buckets",
          "",
          2,
          32,
          10L,
          "10",
          "Buckets of equal bytes of text, by perplexity: 0 has the lowest; documents without words"
              + " go to 'none'.");

  static final Option<Long> WARM_UP =
      Option.count(
          "perplexity.warm-up",
          "documents",
          1,
          1_000_000,
          1_000L,
          "10000 documents",
          "Documents before the first borders are decided; until then each goes by its rank among"
              + " those before it.");

  static final Option<Double> GROWTH =
      Option.number(
          "perplexity.growth",
          1.1,
          100,
          2,
          "1.5",
          "By what factor the text must grow before borders are judged again.");

  static final Option<Double> TOLERANCE =
      Option.number(
          "perplexity.tolerance",
          0.05,
          1,
          0.2,
          "0.1",
          "By how much a bucket's share may differ from an equal one, relative to it, before borders"
              + " move.");

  static final Option<String> CLUSTER_MODEL =
      model(
          StepNames.CLUSTER,
          "a cluster-tree",
          "The cluster of a document's embedding is told; 'sluice cluster fit' makes one.");

  static final Option<String> ASSIGN =
      Option.oneOf(
          "cluster.assign",
          List.of("descent", "flat"),
          "descent",
          "The nearest child at each level, or the nearest of all leaves.");

  static final Option<String> BASIS_MODEL =
      model(
          StepNames.BASIS,
          "a basis-topics",
          "A document goes to each topic as often as is drawn by its cluster, or to none; 'sluice basis"
              + " fit' makes one.");

  /** All of them, in the order of the documentation. */
  public static final List<Option<?>> ALL =
      Stream.concat(
              Stream.<Option<?>>of(
                  REFINERY,
                  INPUTS,
                  DOMAINS,
                  BENCHMARK_MODEL,
                  MEMORY,
                  SIMILARITY,
                  WORDS,
                  BANDS,
                  ROWS,
                  DOCUMENTS,
                  FALSE_DROPS,
                  TARGET_DOMAINS,
                  INTO,
                  TESTS,
                  TARGET_SEED,
                  TARGET_SIMILARITY,
                  TOPIC_MODEL,
                  PERPLEXITY_MODEL,
                  BUCKETS,
                  WARM_UP,
                  GROWTH,
                  TOLERANCE,
                  CLUSTER_MODEL,
                  ASSIGN,
                  BASIS_MODEL),
              SynthesisOptions.ALL.stream())
          .toList();

  private RefineOptions() {}

  private static Option<String> model(String step, String kind, String description) {
    return Option.text(
        step + ".model",
        "directory of " + kind + " model, on every machine that examines texts",
        "models/" + step,
        description);
  }
}
