package io.sluice.models.tokenizer;

import java.util.Arrays;

/**
 * A text as a model takes it.
 *
 * @param ids of its tokens
 * @param types of its tokens, as many: which of a template's parts each is of, 0 for a text alone
 */
public record Tokens(long[] ids, long[] types) {
  /** How many there are. */
  public int size() {
    return ids.length;
  }

  /** The tokens from one place up to another. */
  public Tokens part(int from, int to) {
    return new Tokens(Arrays.copyOfRange(ids, from, to), Arrays.copyOfRange(types, from, to));
  }
}
