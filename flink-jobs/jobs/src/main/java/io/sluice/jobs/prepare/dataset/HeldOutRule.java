package io.sluice.jobs.prepare.dataset;

import io.sluice.schema.ChainHash;
import java.nio.charset.StandardCharsets;

/**
 * Which documents are held out for evaluation: a function of the text alone, so that the same text
 * is always on the same side, whatever its id, its domain, the dataset's seed, or its order. A
 * document that is held out at one share is held out at every larger one.
 *
 * <p>Version 1: FNV-1a (64 bits) over the salt and the text's UTF-8 bytes, mixed; held out iff the
 * upper 53 bits, as a fraction of 2^53, are below the share.
 */
public record HeldOutRule(double share) {
  private static final long SALT = fnv(ChainHash.FNV_OFFSET, "sluice.held-out.1");
  private static final double UNIT = 0x1p-53;

  /** Whether a document of that text is held out. */
  public boolean isHeldOut(String text) {
    // Nothing lies below 0, and hashing a text takes a tenth of the time that its tokens take.
    return share > 0 && (ChainHash.mix(fnv(SALT, text)) >>> 11) * UNIT < share;
  }

  private static long fnv(long start, String text) {
    return ChainHash.fnv(start, text.getBytes(StandardCharsets.UTF_8));
  }
}
