package io.sluice.refine.synthesis;

/**
 * How an answer is drawn.
 *
 * @param temperature from 0 to 2
 * @param maxTokens most tokens of an answer, from 1 to 131,072
 * @param seed asked of the endpoint, which need not follow it
 */
public record Sampling(double temperature, int maxTokens, long seed) {
  private static final int MOST_TOKENS = 1 << 17;

  /** Checks the ranges. */
  public Sampling {
    if (!(temperature >= 0 && temperature <= 2)) {
      throw new IllegalArgumentException("--temperature must be from 0 to 2: " + temperature);
    }
    if (maxTokens < 1 || maxTokens > MOST_TOKENS) {
      throw new IllegalArgumentException(
          "--max-tokens must be from 1 to " + MOST_TOKENS + ": " + maxTokens);
    }
  }
}
