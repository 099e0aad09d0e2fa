package io.sluice.corpus.record;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 of records that follow each other: of each part of a record the number of its bytes (8
 * bytes, big-endian; -1 for one that it has not), then its bytes.
 */
public final class RecordDigest {
  /** Bytes of a hash. */
  public static final int BYTES = 32;

  private final MessageDigest digest = sha256();
  private final ByteBuffer length = ByteBuffer.allocate(Long.BYTES);

  /** Adds the next part of a record. */
  public void add(byte @Nullable [] part) {
    digest.update(length.clear().putLong(part == null ? -1 : part.length).flip());
    if (part != null) {
      digest.update(part);
    }
  }

  /** The hash of all that was added. */
  public byte[] hash() {
    try {
      return ((MessageDigest) digest.clone()).digest();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
