package io.sluice.cli.bench;

import java.util.Random;

/** English words in an order that means nothing, as frequent as words are. */
final class MadeUpText {
  private static final String[] WORDS =
      """
      the of and to in is that for it as was with be by on not he his but at are this have from or
      had an they which one you were all her she there would their we him been has when who will no
      more if out so up said what its about than into them can only other time new some could these
      two may first then do any like my now over such our man me even most made after also did many
      off before must through years where much your way well down should because long each just state
      people those too mister how little good world make very year still see own work men day get here
      between both being under never same another know while last might us great old against off come
      since go right came take three states himself few house use during without again place around
      however home small found general number system group problem program question government weight
      mixture domain gradient training learning velocity perplexity optimizer distribution language
      """
          .strip()
          .split("\\s+");

  private static final int WORDS_PER_SENTENCE = 17;

  private final Random random;

  MadeUpText(long seed) {
    this.random = new Random(seed);
  }

  /** A text of at least so many characters, less than a sentence longer. */
  String next(int characters) {
    StringBuilder text = new StringBuilder(characters + 200);
    while (text.length() < characters) {
      sentence(text);
    }
    return text.toString();
  }

  private void sentence(StringBuilder text) {
    for (int n = 0; n < WORDS_PER_SENTENCE; n++) {
      String word = WORDS[(int) Math.pow(WORDS.length, random.nextDouble()) - 1];
      text.append(n == 0 ? Character.toUpperCase(word.charAt(0)) : word.charAt(0));
      text.append(word, 1, word.length());
      if (random.nextInt(20) == 0) {
        text.append(' ').append(random.nextInt(10_000));
      }
      text.append(n == WORDS_PER_SENTENCE - 1 ? ".\n" : " ");
    }
  }
}
