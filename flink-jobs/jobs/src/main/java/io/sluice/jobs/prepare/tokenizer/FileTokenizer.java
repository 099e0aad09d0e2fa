package io.sluice.jobs.prepare.tokenizer;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** Any tokenizer that is given as a {@code tokenizer.json}. */
final class FileTokenizer implements Tokenizer {
  private static final int SEGMENT = 1 << 18;
  private static final Map<String, String> OPTIONS =
      Map.of("addSpecialTokens", "false", "truncation", "false", "padding", "false");

  static {
    // The library reports its use to its makers from some cloud machines unless told not to.
    if (System.getProperty("OPT_OUT_TRACKING") == null) {
      System.setProperty("OPT_OUT_TRACKING", "true");
    }
  }

  private final TokenizerFile file;
  private final HuggingFaceTokenizer tokenizer;

  FileTokenizer(Path path) {
    file = TokenizerFile.read(path);
    try {
      tokenizer =
          HuggingFaceTokenizer.newInstance(
              new ByteArrayInputStream(file.json().getBytes(StandardCharsets.UTF_8)), OPTIONS);
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "tokenizer 'file:" + path + "' cannot be used: " + e.getMessage(), e);
    }
  }

  @Override
  public Vocabulary vocabulary() {
    return file.vocabulary();
  }

  @Override
  public String identity() {
    return "file:sha256:" + file.digest();
  }

  @Override
  public byte[] encode(String text) {
    String clean = text.replace(HiddenTokens.RESERVED, '\uFFFD');
    TokenWriter tokens = new TokenWriter(vocabulary().tokenWidth(), clean.length() / 3);
    for (int from = 0; from < clean.length(); ) {
      int end = TextSegments.end(clean, from, SEGMENT);
      for (long id : tokenizer.encode(clean.substring(from, end), false, false).getIds()) {
        tokens.add((int) id);
      }
      from = end;
    }
    return tokens.toBytes();
  }

  @Override
  public String decode(int[] tokens) {
    long[] ordinary =
        Arrays.stream(tokens).filter(t -> !file.specials().contains(t)).asLongStream().toArray();
    return ordinary.length == 0 ? "" : tokenizer.decode(ordinary, true);
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
