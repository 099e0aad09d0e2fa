package io.sluice.jobs.prepare.dataset;

import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Whether documents are learnt with a gap to fill.
 *
 * @param rate share of documents whose middle goes to the end, in [0, 1]
 * @param spm share of those, in [0, 1], whose suffix comes before the prefix
 * @param tokens before prefix, suffix and middle: three different ids; none if the rate is 0
 */
public record FimSettings(double rate, double spm, List<Integer> tokens) {
  /** No document has a gap. */
  public static final FimSettings NONE = new FimSettings(0, 0, List.of());

  /**
   * Checks every range.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public FimSettings {
    tokens = List.copyOf(tokens);
    requireShare("fim-rate", rate);
    requireShare("fim-spm", spm);
    int wanted = rate > 0 ? 3 : 0;
    boolean negative = tokens.stream().anyMatch(token -> token < 0);
    if (tokens.size() != wanted || new HashSet<>(tokens).size() != wanted || negative) {
      throw new IllegalArgumentException(
          rate > 0
              ? "fim-tokens must be three different ids, before prefix, suffix and middle: found "
                  + tokens
              : "fim-tokens are for a fim-rate above 0 alone: found " + tokens);
    }
  }

  /**
   * Checks that the tokens are the tokenizer's, and have no other meaning.
   *
   * @throws IllegalArgumentException naming one that is not
   */
  void requireIn(Vocabulary vocabulary) {
    Map<Integer, String> taken = new HashMap<>();
    taken.put(vocabulary.padding(), "padding");
    taken.put(vocabulary.endOfDocument(), "the end of documents");
    taken.put(vocabulary.beginOfDocument(), "the beginning of documents");
    for (int token : tokens) {
      if (token >= vocabulary.size() || taken.containsKey(token)) {
        throw new IllegalArgumentException(
            "fim-tokens must be below "
                + vocabulary.size()
                + " and have no other meaning: found "
                + token
                + (taken.containsKey(token) ? ", which is " + taken.get(token) : ""));
      }
    }
  }

  private static void requireShare(String key, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(key + " must be in [0, 1]: found " + share);
    }
  }
}
