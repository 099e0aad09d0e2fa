package io.sluice.refine.text;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.Arrays;

/**
 * The words of a text, in order, each by a hash of its lower-case characters: longest runs of
 * letters, marks and digits. A character of a script that is written without spaces, such as
 * Chinese, is a word. Immutable.
 */
public final class Words {
  private static final Hasher64 HASHER = Hashing.komihash5_0();

  private final long[] hashes;

  private Words(long[] hashes) {
    this.hashes = hashes;
  }

  /** The words of a text; broken surrogates are no letters. */
  public static Words of(CharSequence text) {
    long[] found = new long[Math.max(4, text.length() / 6)];
    int count = 0;
    StringBuilder word = new StringBuilder();
    int at = 0;
    while (at <= text.length()) {
      int point = at < text.length() ? Character.codePointAt(text, at) : ' ';
      boolean alone = at < text.length() && isAlone(point);
      if (!alone && isPart(point)) {
        word.appendCodePoint(Character.toLowerCase(point));
      } else {
        if (!word.isEmpty()) {
          found = add(found, count++, hash(word));
          word.setLength(0);
        }
        if (alone) {
          found = add(found, count++, hash(word.appendCodePoint(point)));
          word.setLength(0);
        }
      }
      at += Character.charCount(point);
    }
    return new Words(Arrays.copyOf(found, count));
  }

  /** Number of words. */
  public int size() {
    return hashes.length;
  }

  /** Hash of a word, by its place from 0. */
  public long hash(int word) {
    return hashes[word];
  }

  /**
   * Hashes of all runs of {@code n} words, one for each place; of a shorter text the one of all its
   * words, and none of a text without words.
   */
  public long[] grams(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("n-grams must have at least 1 word: found " + n);
    }
    if (hashes.length == 0) {
      return new long[0];
    }
    int length = Math.min(n, hashes.length);
    long[] grams = new long[hashes.length - length + 1];
    for (int i = 0; i < grams.length; i++) {
      grams[i] = gram(i, length);
    }
    return grams;
  }

  /** Hash of the run of {@code length} words from a place on. */
  public long gram(int first, int length) {
    long hash = length;
    for (int i = first; i < first + length; i++) {
      hash = mixed(hash * 0x9E3779B97F4A7C15L + hashes[i]);
    }
    return hash;
  }

  /**
   * Spreads the bits of a number over all of another: MurmurHash3's last step, which is one to one.
   */
  public static long mixed(long bits) {
    long hash = (bits ^ (bits >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return hash ^ (hash >>> 33);
  }

  private static long hash(CharSequence word) {
    return HASHER.hashCharsToLong(word);
  }

  private static long[] add(long[] hashes, int count, long hash) {
    long[] room = count < hashes.length ? hashes : Arrays.copyOf(hashes, hashes.length * 2);
    room[count] = hash;
    return room;
  }

  private static boolean isPart(int point) {
    if (Character.isLetterOrDigit(point)) {
      return true;
    }
    int type = Character.getType(point);
    return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
  }

  private static boolean isAlone(int point) {
    if (point < 0x0E00) {
      return false;
    }
    return switch (Character.UnicodeScript.of(point)) {
      case HAN, HIRAGANA, KATAKANA, BOPOMOFO, THAI, LAO, KHMER, MYANMAR, TIBETAN ->
          Character.isLetterOrDigit(point);
      default -> false;
    };
  }
}
