package io.sluice.schema;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * By what entries of a control log name the entry that they are based on: the first 8 bytes of
 * SHA-256, big-endian, of its value. Clients without a compiler have that hash at hand.
 */
public final class EntryDigest {
  private EntryDigest() {}

  /** Of a record's value. */
  public static long of(byte[] value) {
    try {
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(value)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
