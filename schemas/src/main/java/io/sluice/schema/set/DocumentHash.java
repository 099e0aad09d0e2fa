package io.sluice.schema.set;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * What a document is known by in sets: the first 16 bytes of SHA-256 of its domain's name, a zero
 * byte, and its id, as UTF-8. Of 2^50 documents two share one with odds of 1 to 2^29.
 */
public final class DocumentHash {
  /** Bytes of a hash. */
  public static final int BYTES = 16;

  private DocumentHash() {}

  /** The hash of a document. */
  public static byte[] of(String domain, String id) {
    return of(domain, id.getBytes(StandardCharsets.UTF_8));
  }

  /** The hash of a document whose id is given as UTF-8. */
  static byte[] of(String domain, byte[] id) {
    MessageDigest digest = sha256();
    digest.update(domain.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    digest.update(id);
    return Arrays.copyOf(digest.digest(), BYTES);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
