package io.sluice.jobs.prepare.tokenizer;

import java.nio.charset.StandardCharsets;

/** UTF-8 bytes as ids 0 to 255, then the end of a document and padding. */
final class ByteTokenizer implements Tokenizer {
  static final String NAME = "bytes";

  private static final int BYTES = 256;
  private static final Vocabulary VOCABULARY = new Vocabulary(BYTES + 2, BYTES, BYTES + 1);

  @Override
  public Vocabulary vocabulary() {
    return VOCABULARY;
  }

  @Override
  public String identity() {
    return NAME;
  }

  @Override
  public byte[] encode(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    byte[] tokens = new byte[Math.multiplyExact(2, utf8.length)];
    for (int i = 0; i < utf8.length; i++) {
      tokens[2 * i] = utf8[i];
    }
    return tokens;
  }

  @Override
  public String decode(int[] tokens) {
    byte[] utf8 = new byte[tokens.length];
    int length = 0;
    for (int token : tokens) {
      if (token < BYTES) {
        utf8[length++] = (byte) token;
      }
    }
    return new String(utf8, 0, length, StandardCharsets.UTF_8);
  }
}
