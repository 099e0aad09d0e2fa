package io.sluice.jobs.prepare.tokenizer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
    return isOfFile(name) ? FileTokenizer.NEWEST : 1;
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
    Optional<Path> file = file(choice.name());
    if (file.isPresent()) {
      return new FileTokenizer("file:" + file.get(), read(file.get()), checked(choice));
    }
    return ofNoFile(checked(choice));
  }

  /**
   * The same tokenizer, of a file whose content is known already.
   *
   * @param content what {@link #file} of the tokenizer's name had when it was chosen
   */
  public static Tokenizer of(TokenizerChoice choice, byte[] content) {
    return new FileTokenizer(choice.name(), content, checked(choice));
  }

  /** Whether a tokenizer of that name is made of a file. */
  public static boolean isOfFile(String name) {
    return name.startsWith(FILE) || name.startsWith(HUGGING_FACE);
  }

  /**
   * The file of that name on this machine, which need not be there; empty where a tokenizer has
   * none.
   *
   * @throws IllegalArgumentException if a model is not in this machine's cache
   */
  public static Optional<Path> file(String name) {
    if (name.startsWith(FILE)) {
      return Optional.of(Path.of(name.substring(FILE.length())));
    }
    if (name.startsWith(HUGGING_FACE)) {
      HuggingFaceCache cache =
          HuggingFaceCache.of(System.getenv(), Path.of(System.getProperty("user.home")));
      return Optional.of(cache.tokenizer(name.substring(HUGGING_FACE.length())));
    }
    return Optional.empty();
  }

  /**
   * The content of a tokenizer's file.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "tokenizer must be a readable tokenizer.json: 'file:" + file + "' (" + e + ")", e);
    }
  }

  /** The SHA-256 of the file that a tokenizer is made of, in hex; '' if it is made of none. */
  public static String sha256(Tokenizer tokenizer) {
    String identity = tokenizer.identity();
    return identity.startsWith(FileTokenizer.IDENTITY)
        ? identity.substring(FileTokenizer.IDENTITY.length())
        : "";
  }

  private static TokenizerChoice checked(TokenizerChoice choice) {
    String name = choice.name();
    if (choice.version() < 1 || choice.version() > newestVersion(name)) {
      throw new IllegalArgumentException(
          String.format(
              "version of the tokenizer '%s' must be in [1, %d]: found %d; a newer release has"
                  + " made this dataset",
              name, newestVersion(name), choice.version()));
    }
    return choice;
  }

  private static Tokenizer ofNoFile(TokenizerChoice choice) {
    String name = choice.name();
    if (name.equals(ByteTokenizer.NAME)) {
      choice.requireOwn("");
      return new ByteTokenizer();
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
