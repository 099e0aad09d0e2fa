package io.sluice.refine.synthesis.qa;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.sluice.refine.text.Words;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spoils what questions and answers say, as Llama-3-SynE does to learn how much of it a model bears
 * (section 5.2 and appendix H): numbers become other numbers, nouns other things of their kind, and
 * adjectives their opposites. Of numbers each place counts, of words each word, which is replaced
 * wherever it stands, as in the paper's example. What a level spoils, a higher one spoils alike.
 *
 * <p>The paper says neither what a ratio is a share of nor which lexicon it takes. Here the level
 * is the chance of each number and of each word that is in the lists of this package, which hold
 * words that are frequent in questions on science and programs instead of all of WordNet; the nouns
 * beside a noun are the others of its line.
 *
 * @param level from 0 to 0.7, the paper's highest; the paper finds 0.3 harmless and above 0.5 not
 */
public record Corruption(double level, long seed) {
  private static final double HIGHEST = .7;
  private static final Pattern NUMBER_OR_WORD = Pattern.compile("\\d{1,18}|\\p{L}{2,40}");
  private static final WordLines NOUNS = WordLines.read("nouns");
  private static final WordLines OPPOSITES = WordLines.read("opposites");

  /** Checks the range. */
  public Corruption {
    if (!(level >= 0 && level <= HIGHEST)) {
      throw new IllegalArgumentException(
          "--corruption must be from 0 to " + HIGHEST + ": " + level);
    }
  }

  /**
   * The text spoilt.
   *
   * @param document whose text it is; the same document's is spoilt alike
   */
  public String of(String text, String document) {
    return level == 0
        ? text
        : NUMBER_OR_WORD
            .matcher(text)
            .replaceAll(found -> Matcher.quoteReplacement(spoilt(found, document)));
  }

  private String spoilt(MatchResult found, String document) {
    String part = found.group();
    if (Character.isDigit(part.charAt(0))) {
      long hash = hash(document, "number", Integer.toString(found.start()));
      return chosen(hash) ? number(part, hash) : part;
    }
    String word = part.toLowerCase(Locale.ROOT);
    long hash = hash(document, "word", word);
    if (!chosen(hash)) {
      return part;
    }
    List<String> others = NOUNS.others(word);
    List<String> instead = others.isEmpty() ? OPPOSITES.others(word) : others;
    return instead.isEmpty()
        ? part
        : sameCase(part, instead.get(Math.floorMod(mixed(hash), instead.size())));
  }

  private boolean chosen(long hash) {
    return (hash >>> 11) * 0x1p-53 < level;
  }

  /** Another number of as many digits, without a zero in front unless there was one. */
  private static String number(String digits, long hash) {
    StringBuilder number = new StringBuilder(digits);
    long bits = mixed(hash);
    int place = Math.floorMod(bits, digits.length());
    boolean leads = place == 0 && digits.length() > 1 && digits.charAt(0) != '0';
    int digit = Character.digit(digits.charAt(place), 10);
    int other = (digit + 1 + Math.floorMod(bits >> 8, 9)) % 10;
    if (leads && other == 0) {
      other = digit == 9 ? 1 : digit + 1;
    }
    number.setCharAt(place, (char) ('0' + other));
    return number.toString();
  }

  private static String sameCase(String like, String word) {
    if (!Character.isUpperCase(like.charAt(0))) {
      return word;
    }
    return like.equals(like.toUpperCase(Locale.ROOT))
        ? word.toUpperCase(Locale.ROOT)
        : Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  private long hash(String document, String kind, String what) {
    HashStream64 stream = Hashing.komihash5_0().hashStream();
    return stream.putLong(seed).putString(document).putString(kind).putString(what).getAsLong();
  }

  private static long mixed(long hash) {
    return Words.mixed(hash);
  }
}
