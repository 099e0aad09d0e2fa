package io.sluice.models.text;

import io.sluice.refine.model.ModelDirectory;

/** Parameters that the directories of all neural models have. */
final class NeuralParameters {
  static final String VERSION = "version";
  static final String TOKENS = "max-tokens";

  private static final int FEWEST_TOKENS = 2;
  private static final int MOST_TOKENS = 1 << 15;

  private NeuralParameters() {}

  /** How many tokens the network is given at once, at most, in a form that is known here. */
  static int tokens(ModelDirectory model) {
    model.number(VERSION, 1, 1);
    return model.number(TOKENS, FEWEST_TOKENS, MOST_TOKENS);
  }
}
