package io.sluice.control.bundle;

import io.sluice.control.error.BadInputException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What the file of a bundle is: a line with the version, frames of a length and a record as topics
 * have it, a frame of length 0, and the SHA-256 of all before. Nothing is compressed, so a file is
 * never more than its bytes.
 *
 * @param bundle what is in it
 * @param sha256 of the file up to there, in hexadecimal
 * @param bytes of the file
 */
public record BundleFile(Bundle bundle, String sha256, long bytes) {
  /** The newest version that is written and read. */
  static final int VERSION = 1;

  static final String NAME = "sluice-bundle ";

  /** Most bytes of a file: all that it holds is in memory at once. */
  static final long MOST_BYTES = 1L << 30;

  /** Most bytes of a record. */
  static final int RECORD_BYTES = 16 << 20;

  static final int SHA256_BYTES = 32;

  static byte[] firstLine() {
    return (NAME + VERSION + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Refuses a file that would be larger than any that is read. */
  static void requireSize(String file, long bytes) {
    if (bytes > MOST_BYTES) {
      throw new BadInputException(
          "bundle "
              + file
              + " must have at most "
              + MOST_BYTES
              + " bytes: "
              + bytes
              + "; fork the run at a later batch, and export that");
    }
  }
}
