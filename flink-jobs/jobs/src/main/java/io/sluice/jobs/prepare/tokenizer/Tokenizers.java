package io.sluice.jobs.prepare.tokenizer;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The known tokenizers, by the names that a dataset gives them. */
public final class Tokenizers {
  private static final String FILE = "file:";
  private static final String HUGGING_FACE = "hf:";

  private Tokenizers() {}

  /** Names without a file. */
  public static List<String> names() {
    return Stream.concat(
            Stream.of(ByteTokenizer.NAME),
            Arrays.stream(BytePairTokenizer.Kind.values()).map(kind -> kind.published))
        .toList();
  }

  /**
   * The tokenizer of that name; close it after use.
   *
   * @param name one of {@link #names()}, or {@code file:<path of a tokenizer.json>}, or {@code
   *     hf:ORG/NAME@REVISION} of a model in this machine's cache
   * @throws IllegalArgumentException if there is none, or its file cannot be used
   */
  public static Tokenizer forName(String name) {
    if (name.equals(ByteTokenizer.NAME)) {
      return new ByteTokenizer();
    }
    if (name.startsWith(FILE)) {
      return new FileTokenizer(Path.of(name.substring(FILE.length())));
    }
    if (name.startsWith(HUGGING_FACE)) {
      HuggingFaceCache cache =
          HuggingFaceCache.of(System.getenv(), Path.of(System.getProperty("user.home")));
      return new FileTokenizer(cache.tokenizer(name.substring(HUGGING_FACE.length())));
    }
    return Arrays.stream(BytePairTokenizer.Kind.values())
        .filter(kind -> kind.published.equals(name))
        .findFirst()
        .map(BytePairTokenizer::new)
        .orElseThrow(() -> new IllegalArgumentException(unknown(name)));
  }

  private static String unknown(String name) {
    return names().stream()
        .collect(
            Collectors.joining(
                ", ",
                "tokenizer must be one of ",
                ", file:<path of a tokenizer.json>, or hf:ORG/NAME@REVISION: '" + name + "'"));
  }
}
