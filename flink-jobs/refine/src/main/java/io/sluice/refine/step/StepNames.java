package io.sluice.refine.step;

import java.util.List;

/** What steps are called in specifications, patterns and properties. */
public final class StepNames {
  /** Drops what shares n-grams with a benchmark. */
  public static final String BENCHMARK = "benchmark";

  /** Drops what is like a document before. */
  public static final String DUPLICATES = "duplicates";

  /** Divides target sets into two sides each, and keeps their twins out of training. */
  public static final String TARGETS = "targets";

  /** Tells what a document is about. */
  public static final String TOPIC = "topic";

  /** Tells how hard a document is. */
  public static final String PERPLEXITY = "perplexity";

  /** Tells the cluster of a document's embedding. */
  public static final String CLUSTER = "cluster";

  /** Draws how often a document of a cluster goes to each of a few basis topics. */
  public static final String BASIS = "basis";

  /** Has a model make a document of each. */
  public static final String SYNTHESIZE = "synthesize";

  /** All of them, in the order in which they are taken. */
  public static final List<String> ALL =
      List.of(BENCHMARK, DUPLICATES, TARGETS, TOPIC, PERPLEXITY, CLUSTER, BASIS, SYNTHESIZE);

  /** Those that say where a document goes. */
  public static final List<String> ROUTING = List.of(TOPIC, PERPLEXITY, CLUSTER, BASIS);

  private StepNames() {}
}
