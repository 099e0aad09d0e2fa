package io.sluice.refine.perplexity;

import io.sluice.refine.text.Words;
import java.util.Random;

/**
 * Texts over the words w0, w1, and so on, each of which has four words that may follow it, the
 * first mostly: which ones differs between domains.
 */
final class ChainTexts {
  private final long domain;
  private final int vocabulary;
  private final Random random;

  ChainTexts(long domain, int vocabulary) {
    this.domain = domain;
    this.vocabulary = vocabulary;
    this.random = new Random(domain);
  }

  Words next(int words) {
    return Words.of(text(words));
  }

  private String text(int words) {
    StringBuilder text = new StringBuilder();
    int word = random.nextInt(vocabulary);
    for (int i = 0; i < words; i++) {
      text.append('w').append(word).append(' ');
      int choice = Integer.numberOfTrailingZeros(random.nextInt(16) | 8);
      word = (int) Long.remainderUnsigned(Words.mixed(domain + 4L * word + choice), vocabulary);
    }
    return text.toString();
  }
}
