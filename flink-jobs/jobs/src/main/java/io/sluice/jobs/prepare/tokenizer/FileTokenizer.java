package io.sluice.jobs.prepare.tokenizer;

import io.sluice.jobs.prepare.tokenizer.cut.TextCuts;
import io.sluice.models.tokenizer.HuggingFaceLibrary;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Any tokenizer that is given as a {@code tokenizer.json}.
 *
 * <p>Version 1 cuts every text of more than 262,144 chars before a word, also where that changes
 * ids. Version 2 cuts where the file says that it changes none, and gives a text whole, up to
 * {@link TextCuts#WHOLE}, where there is no such place. With such places, {@linkplain
 * RememberedWords words that come often} are asked for once. {@link ControlTokens} says what stands
 * around a document by default.
 */
final class FileTokenizer implements Tokenizer {
  static final int NEWEST = 2;

  /** What its identity begins with, before the digest of its content. */
  static final String IDENTITY = "file:sha256:";

  private final TokenizerFile file;
  private final TextCuts cuts;
  private final HuggingFaceLibrary tokenizer;
  private final Function<String, byte[]> encoder;

  /**
   * The tokenizer of a file.
   *
   * @param name what the file is called in messages
   * @throws IllegalArgumentException if it is not a usable {@code tokenizer.json}
   */
  FileTokenizer(String name, byte[] content, TokenizerChoice choice) {
    file = TokenizerFile.of(name, content, choice);
    try {
      tokenizer = new HuggingFaceLibrary(file.json());
      cuts = choice.version() == 1 ? TextCuts.VERSION_1 : file.cuts().tried(tokenizer::encode);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "tokenizer '" + name + "' cannot be used: " + e.getMessage(), e);
    }
    encoder =
        cuts.proven()
            ? new RememberedWords(cuts, vocabulary().tokenWidth(), this::tokens)::encode
            : this::tokens;
  }

  @Override
  public Vocabulary vocabulary() {
    return file.vocabulary();
  }

  @Override
  public String identity() {
    return IDENTITY + file.digest();
  }

  @Override
  public byte[] encode(String text) {
    tokenizer.requireOpen(); // remembered words would do without it
    String clean = text.replace(HiddenTokens.RESERVED, '\uFFFD');
    TextParts parts = new TextParts();
    for (int from = 0; from < clean.length(); ) {
      int end = cuts.end(clean, from);
      parts.add(from, end);
      from = cuts.next(clean, end);
    }
    return parts.encode((from, to) -> encoder.apply(clean.substring(from, to)));
  }

  @Override
  public String decode(int[] tokens) {
    long[] ordinary =
        Arrays.stream(tokens).filter(t -> !file.specials().contains(t)).asLongStream().toArray();
    return ordinary.length == 0 ? "" : tokenizer.decode(ordinary);
  }

  private byte[] tokens(String part) {
    TokenWriter tokens = new TokenWriter(vocabulary().tokenWidth(), part.length() / 3);
    for (long id : tokenizer.encode(part)) {
      tokens.add((int) id);
    }
    return tokens.toBytes();
  }

  @Override
  public void close() {
    tokenizer.close();
  }
}
