package io.sluice.refine.twin;

import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import com.dynatrace.hash4j.similarity.SuperMinHashVersion;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.text.Words;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * How signatures of documents are made: components of a MinHash of a text's n-grams of words, in
 * bands. Two documents are candidates if all components of any band are the same.
 *
 * <p>The components are those of SuperMinHash (Ertl, "SuperMinHash: A New Minwise Hashing Algorithm
 * for Jaccard Similarity Estimation", 2017, algorithm 3), which agree with the probability J, the
 * Jaccard similarity, each, and whose mean varies no more than that of independent ones. It is much
 * faster than a hash for each component: 140 components of 1,000 n-grams take 0.04 ms instead of
 * 0.3 to 0.4. Of each component 16 bits are kept (Li and König, "b-Bit Minwise Hashing", 2010):
 * components that differ look alike once in 65,536 times, which is nothing beside the spread of the
 * estimate, the root of J (1 - J) / components. A band of 7 rows still has 112 bits.
 *
 * <p>With 20 bands of 7 rows and a least similarity of 0.7 in {@link Twins}, pairs are found so,
 * measured on 4,000 pairs of 2,000 n-grams each; with fewer n-grams the estimate is closer:
 *
 * <table>
 *   <caption>share of pairs by their Jaccard similarity</caption>
 *   <tr><th>similarity</th><th>candidates</th><th>twins</th></tr>
 *   <tr><td>0.9</td><td>100 %</td><td>100 %</td></tr>
 *   <tr><td>0.8</td><td>99.2 %</td><td>99.1 %</td></tr>
 *   <tr><td>0.7</td><td>82.5 %</td><td>49.8 %</td></tr>
 *   <tr><td>0.6</td><td>42.6 %</td><td>0.6 %</td></tr>
 *   <tr><td>0.5</td><td>14.4 %</td><td>0 %</td></tr>
 *   <tr><td>0.3</td><td>0.5 %</td><td>0 %</td></tr>
 * </table>
 *
 * @param words of an n-gram, 1 to 64
 * @param bands 1 to 100
 * @param rows of a band, 1 to 50; at most 1,000 components in all
 */
public record SignatureScheme(int words, int bands, int rows) {
  /** 5-grams in 20 bands of 7 rows. */
  public static final SignatureScheme DEFAULT = new SignatureScheme(5, 20, 7);

  private static final int BITS = 16;
  private static final int FINE = 5;
  private static final int MOST_BANDS = 100;
  private static final int MOST_COMPONENTS = 1_000;
  private static final int SEEN = 1 << 11;
  private static final byte VERSION = 1;
  private static final int HEAD = 4;
  private static final int TEXT = 16;

  public SignatureScheme {
    require("words of an n-gram", words, 64);
    require("bands", bands, MOST_BANDS);
    require("rows of a band", rows, 50);
    require("components, bands times rows,", bands * rows, MOST_COMPONENTS);
  }

  /** Components of a signature. */
  public int components() {
    return bands * rows;
  }

  /**
   * Probability that two documents of a Jaccard similarity share a band: 1 - (1 - J^rows)^bands.
   */
  public double candidates(double similarity) {
    return 1 - Math.pow(1 - Math.pow(similarity, rows), bands);
  }

  /**
   * The same components in more bands, of at most {@value #FINE} rows, where they can be divided
   * so: more pairs are candidates, and fewer escape.
   */
  public SignatureScheme finer() {
    for (int fine = Math.min(FINE, rows); fine > 0; fine--) {
      if (components() % fine == 0 && components() / fine <= MOST_BANDS) {
        return new SignatureScheme(words, components() / fine, fine);
      }
    }
    return this;
  }

  /** The signature of a text. */
  public Signature sign(String text) {
    return sign(text, Words.of(text));
  }

  /**
   * The signature of a text whose words are known already. Time is linear in the text's length.
   *
   * @param found the text's words
   */
  public Signature sign(String text, Words found) {
    ByteBuffer hash = ByteBuffer.wrap(sha256(text));
    long[] grams = withoutRepeats(found.grams(words));
    byte[] components =
        grams.length == 0
            ? new byte[0]
            : policy().createHasher().compute(ElementHashProvider.ofValues(grams));
    return new Signature(this, hash.getLong(), hash.getLong(), components);
  }

  /**
   * A signature as bytes: a version, the scheme in 3 bytes, 16 bytes of the text's hash, and 2 for
   * each component, or none where there are no words. 300 with the default scheme.
   */
  byte[] write(Signature signature) {
    return ByteBuffer.allocate(HEAD + TEXT + signature.components().length)
        .put(VERSION)
        .put((byte) words)
        .put((byte) bands)
        .put((byte) rows)
        .putLong(signature.text())
        .putLong(signature.check())
        .put(signature.components())
        .array();
  }

  /**
   * Reads {@link Signature#bytes()} from a buffer's place to its end.
   *
   * @throws BadInputException if they are no signature of this scheme
   */
  public Signature read(ByteBuffer bytes) {
    int left = bytes.remaining() - HEAD - TEXT;
    if (left != 0 && left != components() * BITS / 8) {
      throw refused("found " + bytes.remaining() + " bytes");
    }
    byte[] head = new byte[HEAD];
    bytes.get(head);
    if (head[0] != VERSION || head[1] != words || head[2] != bands || head[3] != rows) {
      throw refused(
          "found version %d, %d words, %d bands, %d rows"
              .formatted(head[0], head[1], head[2], head[3]));
    }
    long text = bytes.getLong();
    long check = bytes.getLong();
    byte[] components = new byte[left];
    bytes.get(components);
    return new Signature(this, text, check, components);
  }

  private BadInputException refused(String what) {
    return new BadInputException(
        "a signature must be of version %d, of %d words, %d bands, %d rows: %s"
            .formatted(VERSION, words, bands, rows, what));
  }

  private SimilarityHashPolicy policy() {
    // Whoever stored components of one version must not compare them with those of another.
    return SimilarityHashing.superMinHash(components(), BITS, SuperMinHashVersion.V1);
  }

  /**
   * Most of the repeated n-grams are left out, in place: a set does not change by them, but while
   * there are few others each would cost as much as the first.
   */
  private static long[] withoutRepeats(long[] grams) {
    long[] seen = new long[SEEN];
    int kept = 0;
    for (long gram : grams) {
      int place = (int) gram & (SEEN - 1);
      if (seen[place] != gram || gram == 0) {
        seen[place] = gram;
        grams[kept++] = gram;
      }
    }
    return Arrays.copyOf(grams, kept);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void require(String what, int found, int most) {
    if (found < 1 || found > most) {
      throw new BadInputException(
          "%s of signatures must be 1 to %d: found %d".formatted(what, most, found));
    }
  }
}
