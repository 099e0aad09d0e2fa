package io.sluice.djl;

/**
 * A sum of token losses with the number of tokens in it, so that parts merge exactly.
 *
 * @param sum negative log-likelihood in nats
 * @param count trained tokens
 */
public record TokenSum(double sum, long count) {
  /** No token. */
  public static final TokenSum NONE = new TokenSum(0, 0);

  /** Checks the count. */
  public TokenSum {
    if (count < 0) {
      throw new IllegalArgumentException("count must be at least 0: " + count);
    }
  }

  /** Both together. */
  public TokenSum plus(TokenSum other) {
    return new TokenSum(sum + other.sum, count + other.count);
  }

  /** Nats per token; 0 without tokens. */
  public double mean() {
    return count == 0 ? 0 : sum / count;
  }
}
