package io.sluice.jobs.prepare.pack;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a block remembers of a document beside its tokens.
 *
 * @param content the first 8 bytes of SHA-256 of its tokens; 0 where lineage has none
 */
record PackedDocument(String id, long content) {
  /** A document of these tokens, which stay where they are. */
  static PackedDocument of(String id, ByteBuffer tokens) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(tokens.duplicate());
      return new PackedDocument(id, ByteBuffer.wrap(digest.digest()).getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
