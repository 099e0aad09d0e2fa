package io.sluice.djl.measure;

import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.TokenSum;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The perplexity of every domain: e to the power of the mean token loss over its held-out blocks.
 *
 * <p>It is sent as a sum over one observation, so that sum / count is the perplexity itself; ranks
 * that all evaluate the same blocks merge to it again. Ranks that evaluate different blocks have to
 * send losses instead: a mean of perplexities is not the perplexity of the whole.
 */
public final class DomainPerplexity {
  private DomainPerplexity() {}

  /**
   * Perplexities of held-out losses.
   *
   * @param losses of {@link DomainEvaluation#evaluate}
   * @throws DivergedException if a perplexity is beyond the largest double
   */
  public static Map<String, Total> of(Map<String, TokenSum> losses) {
    Map<String, Total> perplexities = new LinkedHashMap<>();
    losses.forEach((domain, loss) -> perplexities.put(domain, of(domain, loss)));
    return perplexities;
  }

  private static Total of(String domain, TokenSum loss) {
    double perplexity = Math.exp(loss.mean());
    if (!Double.isFinite(perplexity)) {
      throw new DivergedException(
          "perplexity of domain "
              + domain
              + " must be finite, it was not published: e^"
              + loss.mean());
    }
    return new Total(perplexity, 1);
  }
}
