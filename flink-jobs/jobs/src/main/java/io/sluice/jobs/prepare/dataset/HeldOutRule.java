package io.sluice.jobs.prepare.dataset;

import io.sluice.schema.ChainHash;
import io.sluice.schema.DatasetSpec;
import java.nio.charset.StandardCharsets;

/**
 * Which documents are held out for evaluation: a function of the text alone, so that the same text
 * is always on the same side, whatever its id, its domain, the dataset's seed, or its order. A
 * document that is held out at one share is held out at every larger one.
 *
 * <p>Versions 1 and 2: FNV-1a (64 bits) over the version's salt and the UTF-8 bytes of what
 * decides, mixed; held out iff the upper 53 bits, as a fraction of 2^53, are below the share. In
 * version 1 the text itself decides. In version 2 what is left of it without white space, and
 * without characters that only steer it, and with ASCII letters in lower case: a copy with other
 * line ends, indentation or case is on the side of the original. The characters are listed here,
 * and no tables of Unicode are asked, which change with the runtime.
 *
 * <p>A document that came as token ids is held out by these, whatever the version: nothing is
 * decoded, so it need not be on the side of its text.
 *
 * @param share of documents, in [0, 1)
 * @param version in [1, {@link #NEWEST}]
 */
public record HeldOutRule(double share, int version) {
  /** The text itself decides. */
  public static final int OF_TEXT = 1;

  /** The version for new datasets. */
  public static final int NEWEST = 2;

  private static final long OF_TOKENS = fnv(ChainHash.FNV_OFFSET, "sluice.held-out.tokens.1");
  private static final double UNIT = 0x1p-53;

  /** The dataset's rule. */
  public static HeldOutRule of(DatasetSpec spec) {
    return new HeldOutRule(spec.getHeldOut(), spec.getHeldOutRule());
  }

  /** Hash of what decides; texts of one hash are on one side. */
  public long hash(String text) {
    String deciding = version == OF_TEXT ? text : normalized(text);
    long salted = fnv(ChainHash.FNV_OFFSET, "sluice.held-out." + version);
    return ChainHash.mix(fnv(salted, deciding));
  }

  /** Hash of a document that is token ids: of these, as the blocks carry them, without an end. */
  public long hash(byte[] tokens) {
    return ChainHash.mix(ChainHash.fnv(OF_TOKENS, tokens));
  }

  /** Whether documents of that {@link #hash} are held out. */
  public boolean isHeldOut(long hash) {
    return (hash >>> 11) * UNIT < share;
  }

  private static long fnv(long start, String text) {
    return ChainHash.fnv(start, text.getBytes(StandardCharsets.UTF_8));
  }

  private static String normalized(String text) {
    StringBuilder left = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        left.append((char) (c + ('a' - 'A')));
      } else if (!isLeftOut(c)) {
        left.append(c);
      }
    }
    return left.toString();
  }

  /** White space, controls, joiners, direction marks, the soft hyphen and the byte order mark. */
  private static boolean isLeftOut(char c) {
    if (c < 0x7F) {
      return c <= ' ';
    }
    return c <= 0xA0
        || c == 0xAD
        || c == 0x1680
        || (c >= 0x2000 && c <= 0x200F)
        || (c >= 0x2028 && c <= 0x202F)
        || (c >= 0x205F && c <= 0x206F)
        || c == 0x3000
        || c == 0xFEFF;
  }
}
