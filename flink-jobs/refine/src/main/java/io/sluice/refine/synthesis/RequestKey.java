package io.sluice.refine.synthesis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a request is known by, whoever asks and whenever.
 *
 * @param hex SHA-256 of all of it, 64 hexadecimal digits
 */
public record RequestKey(String hex) {
  private static final int SHORT = 16;
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  /** Checks the digits. */
  public RequestKey {
    if (!HEX.matcher(hex).matches()) {
      throw new IllegalArgumentException("a request's key must have 64 hexadecimal digits");
    }
  }

  /** The key of texts in their order; where one ends and the next begins counts. */
  static RequestKey of(List<String> parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
      }
      return new RequestKey(HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first 16 digits, for people. */
  public String first() {
    return hex.substring(0, SHORT);
  }
}
