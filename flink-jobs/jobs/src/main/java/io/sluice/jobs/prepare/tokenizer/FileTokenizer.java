package io.sluice.jobs.prepare.tokenizer;

import java.nio.file.Path;
import java.util.Arrays;

/** Any tokenizer that is given as a {@code tokenizer.json}. */
final class FileTokenizer implements Tokenizer {
  private static final int SEGMENT = 1 << 18;

  private final TokenizerFile file;
  private final HuggingFaceLibrary tokenizer;

  FileTokenizer(Path path) {
    file = TokenizerFile.read(path);
    try {
      tokenizer = new HuggingFaceLibrary(file.json());
    } catch (RuntimeException e) {
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
      for (long id : tokenizer.encode(clean.substring(from, end))) {
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
    return ordinary.length == 0 ? "" : tokenizer.decode(ordinary);
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
