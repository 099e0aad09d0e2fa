package io.sluice.control.topics;

import io.sluice.schema.TokenizerPart;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one file, as they come from the topic in any order, some of them several times: the
 * last of each counts. What is no part of the file is passed over.
 */
final class TokenizerParts {
  /** Bytes of every part but the last. */
  static final int PART_BYTES = 512 << 10;

  private final String sha256;
  private final Map<Integer, TokenizerPart> parts = new TreeMap<>();

  /** None yet of the file with this digest. */
  TokenizerParts(String sha256) {
    this.sha256 = sha256;
  }

  /** All parts of a file, by the keys of their records. */
  static Map<String, TokenizerPart> of(byte[] content) {
    String sha256 = TokenizerFiles.sha256(content);
    Map<String, TokenizerPart> parts = new LinkedHashMap<>();
    for (int part = 0; part * PART_BYTES < content.length; part++) {
      ByteBuffer bytes =
          ByteBuffer.wrap(content, part * PART_BYTES, length(content.length, part)).slice();
      parts.put(sha256 + "/" + part, new TokenizerPart(sha256, content.length, part, bytes));
    }
    return parts;
  }

  /** Takes a record of the topic. */
  void take(byte @Nullable [] record) {
    try {
      TokenizerPart part = WireCodec.decode(TokenizerPart.class, record);
      if (part.getSha256().equals(sha256) && fits(part)) {
        parts.put(part.getPart(), part);
      }
    } catch (WireFormatException e) {
      TokenizerFiles.LOG.debug("a record of the tokenizers is no part: {}", e.getMessage());
    }
  }

  /**
   * The file's content; empty if there is no part of it.
   *
   * @throws IllegalArgumentException if a part is missing, or they are not the file
   */
  Optional<byte[]> content() {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    int size = parts.values().iterator().next().getSize();
    ByteBuffer content = ByteBuffer.allocate(size);
    for (int part = 0; part * PART_BYTES < size; part++) {
      TokenizerPart found = parts.get(part);
      if (found == null || found.getSize() != size) {
        throw refused("part " + part + " of " + size + " bytes is not there");
      }
      content.put(found.getContent().duplicate());
    }
    String digest = TokenizerFiles.sha256(content.array());
    if (!digest.equals(sha256)) {
      throw refused("its " + size + " bytes have the SHA-256 " + digest);
    }
    return Optional.of(content.array());
  }

  /** Whether it is as a writer makes them, so that all together are no more than a file may be. */
  private static boolean fits(TokenizerPart part) {
    int size = part.getSize();
    return size > 0
        && size <= TokenizerFiles.MOST_BYTES
        && part.getPart() >= 0
        && part.getPart() <= (size - 1) / PART_BYTES
        && part.getContent().remaining() == length(size, part.getPart());
  }

  private static int length(int size, int part) {
    return Math.min(PART_BYTES, size - part * PART_BYTES);
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(
        "what the topic of tokenizers has of SHA-256 " + sha256 + " is not that file: " + why);
  }
}
