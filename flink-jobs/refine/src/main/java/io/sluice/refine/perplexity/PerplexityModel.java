package io.sluice.refine.perplexity;

import io.sluice.refine.text.Words;
import java.util.OptionalDouble;

/** Tells how hard texts are. Safe for use by many threads. */
public interface PerplexityModel {
  /**
   * The perplexity of a text, {@code exp(-1/n sum of ln p(x_i | before))} over its n words or
   * tokens: finite and at least 1; none of a text with nothing that has a probability.
   *
   * @param words of the same text
   * @throws io.sluice.control.error.BadInputException if nothing can be told of this text
   */
  OptionalDouble perplexity(String text, Words words);
}
