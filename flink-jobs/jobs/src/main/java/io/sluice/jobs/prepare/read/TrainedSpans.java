package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which tokens of a text count in the loss, from the spans of it that do.
 *
 * <p>The tokens are those of the whole text. Where a span begins or ends among them is where they
 * cease to be those of the text before it, made tokens by itself: a token that lies on both sides
 * belongs to what comes after. So a prompt that a model is given alone counts no further than its
 * tokens are the same.
 */
final class TrainedSpans {
  private TrainedSpans() {}

  /**
   * Runs of the tokens, as {@link TokenizedDocument#counted()} has them.
   *
   * @param bounds of spans of the text; null for the whole text
   */
  static int[] counted(
      @Nullable List<Integer> bounds, String text, byte[] tokens, Tokenizer tokenizer) {
    if (bounds == null) {
      return TokenizedDocument.ALL;
    }
    int width = tokenizer.vocabulary().tokenWidth();
    // The first bound starts a span: the run of tokens that count before it has no token.
    List<Integer> runs = new ArrayList<>(List.of(0));
    int from = 0;
    for (int bound : bounds) {
      int place = Math.max(from, place(text, bound, tokens, tokenizer) / width);
      runs.add(place - from);
      from = place;
    }
    return runs.stream().mapToInt(Integer::intValue).toArray();
  }

  /** How many bytes the tokens have in common with those of the text's beginning. */
  private static int place(String text, int end, byte[] tokens, Tokenizer tokenizer) {
    if (end == text.length()) {
      return tokens.length;
    }
    if (end == 0) {
      return 0;
    }
    int common = Arrays.mismatch(tokens, tokenizer.encode(text.substring(0, end)));
    return common < 0 ? tokens.length : common;
  }
}
