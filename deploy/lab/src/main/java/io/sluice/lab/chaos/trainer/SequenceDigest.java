package io.sluice.lab.chaos.trainer;

import io.sluice.schema.StreamHeader;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over the headers and bytes of a batch's sequences, in the order of the stream. */
final class SequenceDigest {
  private static final int BYTES = 8;

  private final MessageDigest digest;

  SequenceDigest() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  void add(StreamHeader header, byte[] block) {
    digest.update(header.encode());
    digest.update(block);
  }

  /** The first 8 bytes as text; ends this object's use. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
  }
}
