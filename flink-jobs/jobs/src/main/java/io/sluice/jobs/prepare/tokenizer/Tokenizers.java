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

  /** The version that a new dataset takes: a later one gives other tokens for the same name. */
  public static int newestVersion(String name) {
    return name.startsWith(FILE) || name.startsWith(HUGGING_FACE) ? FileTokenizer.NEWEST : 1;
  }

  /** The tokenizer of that name in its newest version, with its own control tokens. */
  public static Tokenizer forName(String name) {
    return forName(TokenizerChoice.newest(name));
  }

  /**
   * A tokenizer; close it after use.
   *
   * @param choice of one of {@link #names()}, or {@code file:<path of a tokenizer.json>}, or {@code
   *     hf:ORG/NAME@REVISION} of a model in this machine's cache
   * @throws IllegalArgumentException if there is none, its file cannot be used, or it has not those
   *     control tokens
   */
  public static Tokenizer forName(TokenizerChoice choice) {
    String name = choice.name();
    if (choice.version() < 1 || choice.version() > newestVersion(name)) {
      throw new IllegalArgumentException(
          String.format(
              "version of the tokenizer '%s' must be in [1, %d]: found %d; a newer release has"
                  + " made this dataset",
              name, newestVersion(name), choice.version()));
    }
    if (name.equals(ByteTokenizer.NAME)) {
      choice.requireOwn("");
      return new ByteTokenizer();
    }
    if (name.startsWith(FILE)) {
      return new FileTokenizer(Path.of(name.substring(FILE.length())), choice);
    }
    if (name.startsWith(HUGGING_FACE)) {
      HuggingFaceCache cache =
          HuggingFaceCache.of(System.getenv(), Path.of(System.getProperty("user.home")));
      return new FileTokenizer(cache.tokenizer(name.substring(HUGGING_FACE.length())), choice);
    }
    BytePairTokenizer.Kind published =
        Arrays.stream(BytePairTokenizer.Kind.values())
            .filter(kind -> kind.published.equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(unknown(name)));
    choice.requireOwn(BytePairTokenizer.END);
    return new BytePairTokenizer(published);
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
