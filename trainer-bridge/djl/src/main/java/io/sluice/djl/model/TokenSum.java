package io.sluice.djl.model;

import io.sluice.client.feedback.Measurement.Total;
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** Every domain's sum and count as feedback carries them. */
  public static Map<String, Total> totals(Map<String, TokenSum> losses) {
    Map<String, Total> totals = new LinkedHashMap<>();
    losses.forEach((domain, loss) -> totals.put(domain, new Total(loss.sum, loss.count)));
    return totals;
  }

  /** Nats per token; 0 without tokens. */
  public double mean() {
    return count == 0 ? 0 : sum / count;
  }
}
