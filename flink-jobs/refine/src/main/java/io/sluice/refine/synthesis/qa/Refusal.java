package io.sluice.refine.synthesis.qa;

import java.util.Locale;

/** Why an answer does not become questions and answers. */
public enum Refusal {
  /** It ends where the most tokens of an answer were reached. */
  CUT_OFF,
  /** It is larger than an answer may be. */
  TOO_LONG,
  /** It has control characters, or halves of surrogate pairs. */
  NOT_TEXT,
  /** The model says that it does not want to, or cannot. */
  MODEL_DECLINES,
  /** It has no question with an answer in a form that is known. */
  NO_PAIRS,
  /** It has more questions than a document may have. */
  TOO_MANY_PAIRS,
  /** A question or an answer is shorter than one can be. */
  PAIR_TOO_SHORT,
  /** A question is longer than one may be. */
  QUESTION_TOO_LONG,
  /** An answer is its question again. */
  REPEATS_QUESTION,
  /** It has more than half of what the prompt says beside the document. */
  REPEATS_PROMPT;

  /** In words, for people. */
  public String words() {
    return "answer: " + name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
