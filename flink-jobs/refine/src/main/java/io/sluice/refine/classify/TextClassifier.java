package io.sluice.refine.classify;

import java.util.List;

/** Tells which of a few labels a text has. Safe for use by many threads. */
public interface TextClassifier {
  /** The labels, in the order of probabilities. */
  List<String> labels();

  /**
   * The likeliest label of a text, with the probabilities of all.
   *
   * @throws io.sluice.control.error.BadInputException if nothing can be told of this text
   */
  Classification classify(String text);

  /** With how many texts of each label it was trained, in their order; empty if nobody knows. */
  List<Integer> texts();

  /** How large it is and what it looks at, in a few words for people. */
  String summary();
}
