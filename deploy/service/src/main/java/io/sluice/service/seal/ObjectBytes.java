package io.sluice.service.seal;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * The bytes of an object with several parts.
 *
 * @param pieces which it is, one after the other
 * @param sha256 of all of them, in hex
 */
record ObjectBytes(List<byte[]> pieces, List<Part> parts, String sha256) {
  /**
   * A part of the object.
   *
   * @param sha256 of it alone, in hex
   */
  record Part(long offset, long length, String sha256) {}

  /**
   * The object of parts.
   *
   * @param parts each in pieces
   * @param alignment where parts begin: at multiples of this
   */
  static ObjectBytes of(List<List<byte[]>> parts, int alignment) {
    List<byte[]> all = new ArrayList<>();
    List<Part> placed = new ArrayList<>();
    long end = 0;
    for (List<byte[]> pieces : parts) {
      byte[] gap = new byte[(int) (-end & (alignment - 1))];
      all.add(gap);
      all.addAll(pieces);
      Part part = new Part(end + gap.length, length(pieces), hex(digest("SHA-256", pieces)));
      placed.add(part);
      end = part.offset() + part.length();
    }
    return new ObjectBytes(all, placed, hex(digest("SHA-256", all)));
  }

  long length() {
    return length(pieces);
  }

  /** The MD5 by which stores know what was sent to them. */
  byte[] md5() {
    return digest("MD5", pieces);
  }

  InputStream stream() {
    return new SequenceInputStream(
        Collections.enumeration(pieces.stream().map(ByteArrayInputStream::new).toList()));
  }

  private static long length(List<byte[]> pieces) {
    return pieces.stream().mapToLong(piece -> piece.length).sum();
  }

  private static String hex(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }

  private static byte[] digest(String algorithm, List<byte[]> pieces) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      pieces.forEach(digest::update);
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
