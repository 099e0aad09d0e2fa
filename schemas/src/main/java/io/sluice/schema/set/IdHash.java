package io.sluice.schema.set;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The id of a document in blocks that carry hashes: the first 8 bytes of its {@link DocumentHash},
 * as 11 characters of base64url. Of a billion documents any two share one with odds of 1 to 37, and
 * any given one shares its with odds of 1 to 2^34.
 */
public final class IdHash {
  /** Bytes of a hash. */
  public static final int BYTES = 8;

  /** Blocks have the ids themselves. */
  public static final String NAMES = "names";

  /** Blocks have the hashes of ids, and lineage the ids. */
  public static final String HASHES = "hashes";

  /** What blocks may have of their documents. */
  public static final List<String> DOCUMENT_IDS = List.of(NAMES, HASHES);

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private IdHash() {}

  /** Whether blocks have hashes where a specification says this of their documents' ids. */
  public static boolean in(String documentIds) {
    return documentIds.equals(HASHES);
  }

  /** The hash of a document, as blocks have it. */
  public static String of(String domain, String id) {
    return ENCODER.encodeToString(Arrays.copyOf(DocumentHash.of(domain, id), BYTES));
  }

  /** The hashes that follow each other in these bytes, which stay where they are. */
  public static List<String> all(ByteBuffer bytes) {
    List<String> hashes = new ArrayList<>();
    byte[] hash = new byte[BYTES];
    for (ByteBuffer left = bytes.duplicate(); left.remaining() >= BYTES; ) {
      left.get(hash);
      hashes.add(ENCODER.encodeToString(hash));
    }
    return hashes;
  }

  /** The bytes of a hash that is given as UTF-8; null if it is none. */
  static byte @Nullable [] parsed(byte[] hash) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(hash);
      return bytes.length == BYTES && Arrays.equals(ENCODER.encode(bytes), hash) ? bytes : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** A hash as a number, its bytes little-endian; 0 for what is none, such as '' of padding. */
  public static long number(String hash) {
    byte[] bytes = parsed(hash.getBytes(StandardCharsets.UTF_8));
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** The hash that {@link #number} made a number of; '' for 0. */
  public static String of(long number) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return number == 0 ? "" : ENCODER.encodeToString(bytes.putLong(number).array());
  }

  /** The bytes of a hash that {@link #of} gave. */
  public static byte[] bytes(String hash) {
    return Base64.getUrlDecoder().decode(hash);
  }
}
