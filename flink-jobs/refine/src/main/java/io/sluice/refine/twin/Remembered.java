package io.sluice.refine.twin;

import io.sluice.control.error.BadInputException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A document in a table: where it lies, and its signature. */
record Remembered(DocumentPlace place, Signature signature) {
  private static final byte VERSION = 1;
  private static final int HEAD = 1 + Integer.BYTES + Long.BYTES;

  static Remembered read(SignatureScheme scheme, byte[] bytes) {
    if (bytes.length < HEAD || bytes[0] != VERSION) {
      throw new BadInputException(
          "a document in the table of twins must be of version %d and have %d bytes or more: found %s"
              .formatted(
                  VERSION, HEAD, bytes.length == 0 ? "none" : bytes[0] + ", " + bytes.length));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    return new Remembered(
        new DocumentPlace(buffer.getInt(), buffer.getLong()), scheme.read(buffer));
  }

  byte[] bytes() {
    byte[] signed = signature.bytes();
    return ByteBuffer.allocate(HEAD + signed.length)
        .put(VERSION)
        .putInt(place.domain())
        .putLong(place.offset())
        .put(signed)
        .array();
  }

  /** It as a twin of another document, if that is near enough. */
  Optional<Twin> twinOf(Signature other, double least) {
    if (signature.sameText(other)) {
      return Optional.of(new Twin(place, signature.text(), 1, true));
    }
    double similarity = signature.similarity(other);
    return similarity >= least
        ? Optional.of(new Twin(place, signature.text(), similarity, false))
        : Optional.empty();
  }
}
