package io.sluice.service.seal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A file with several parts, written once.
 *
 * @param sha256 of the whole file, in hex
 */
record ObjectFile(String sha256, List<Part> parts) {
  /**
   * A part of the file.
   *
   * @param sha256 of it alone, in hex
   */
  record Part(long offset, long length, String sha256) {}

  /**
   * Writes a new file, which is durable when this returns.
   *
   * @param parts each in pieces
   * @param alignment where parts begin: at multiples of this
   */
  static ObjectFile write(Path file, List<List<byte[]>> parts, int alignment) throws IOException {
    MessageDigest whole = digest();
    List<Part> written = new ArrayList<>();
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (List<byte[]> pieces : parts) {
        int gap = (int) (-out.position() & (alignment - 1));
        put(out, new byte[gap], whole);
        long begin = out.position();
        MessageDigest part = digest();
        for (byte[] piece : pieces) {
          part.update(piece);
          put(out, piece, whole);
        }
        written.add(new Part(begin, out.position() - begin, hex(part)));
      }
      out.force(true);
    }
    return new ObjectFile(hex(whole), written);
  }

  private static void put(FileChannel out, byte[] bytes, MessageDigest digest) throws IOException {
    digest.update(bytes);
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      out.write(left);
    }
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
