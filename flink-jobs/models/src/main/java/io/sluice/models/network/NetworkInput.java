package io.sluice.models.network;

import io.sluice.models.tokenizer.Tokens;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/** What a network can be told of a text: int64, [1, tokens], called as exporters call it. */
enum NetworkInput {
  INPUT_IDS("input_ids", Tokens::ids),
  ATTENTION_MASK("attention_mask", tokens -> filled(tokens.size())),
  TOKEN_TYPE_IDS("token_type_ids", Tokens::types),
  POSITION_IDS("position_ids", tokens -> LongStream.range(0, tokens.size()).toArray());

  private final String word;
  private final Function<Tokens, long[]> values;

  NetworkInput(String word, Function<Tokens, long[]> values) {
    this.word = word;
    this.values = values;
  }

  /** What it is called. */
  String word() {
    return word;
  }

  /** Its values for a text. */
  long[] of(Tokens tokens) {
    return values.apply(tokens);
  }

  /** What all of them are called. */
  static List<String> words() {
    return Arrays.stream(values()).map(NetworkInput::word).toList();
  }

  private static long[] filled(int tokens) {
    long[] ones = new long[tokens];
    Arrays.fill(ones, 1);
    return ones;
  }
}
