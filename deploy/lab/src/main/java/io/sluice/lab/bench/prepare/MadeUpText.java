package io.sluice.lab.bench.prepare;

import java.util.Random;

/**
 * Words in an order that means nothing: common English ones, as frequent as such are, and rare ones
 * of English parts, which are what a tokenizer spends its time on.
 */
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

  private static final String[] PREFIXES =
      "a be con de dis ex fore in inter mis over per pre pro re sub super trans un under"
          .split(" ");

  private static final String[] ROOTS =
      """
      act band bas cast cept claim clud cord cours crib cycl dict duct fac fer fin flex form fract
      fus gener grad graph gress gust hap hered ject jud lat lect lev liber loc log lud magn mand mark
      mat mem merg met migr min miss mod mort mov nat nerv nom nounc orig parl part pend plan plaus
      ploy pon port pos press prim quer quot rang rect rupt sal scend scop sect sens sequ serv sign
      simil solv son spect spir stanc struct sum tact tain temp tend term test tract tribut turb util
      vad val vent ver vict vid voc volv
      """
          .strip()
          .split("\\s+");

  private static final String[] SUFFIXES =
      "able al ance ant ate ation ed ence er est ful ian ic ify ing ion ish ism ity ive ize less ly ment or ous s"
          .split(" ");

  private static final int WORDS_PER_SENTENCE = 17;
  private static final double RARE = 0.08;

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
      String word = word();
      text.append(n == 0 ? Character.toUpperCase(word.charAt(0)) : word.charAt(0));
      text.append(word, 1, word.length());
      if (random.nextInt(20) == 0) {
        text.append(' ').append(random.nextInt(10_000));
      }
      text.append(n == WORDS_PER_SENTENCE - 1 ? ".\n" : " ");
    }
  }

  private String word() {
    if (random.nextDouble() >= RARE) {
      return WORDS[(int) Math.pow(WORDS.length, random.nextDouble()) - 1];
    }
    String first = random.nextBoolean() ? any(PREFIXES) : "";
    String last = any(SUFFIXES);
    return first + any(ROOTS) + last + (random.nextInt(4) == 0 ? any(SUFFIXES) : "");
  }

  private String any(String[] parts) {
    return parts[random.nextInt(parts.length)];
  }
}
