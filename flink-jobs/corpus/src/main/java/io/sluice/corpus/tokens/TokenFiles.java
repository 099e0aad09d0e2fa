package io.sluice.corpus.tokens;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.StoredFile;
import java.io.IOException;
import java.util.Locale;

/** Files of token ids, by their names. */
public final class TokenFiles {
  private TokenFiles() {}

  /** Whether files of such a name hold token ids, or may. */
  public static boolean isOne(String name) {
    return kind(name) != Kind.NONE;
  }

  /** Whether the file of such a name belongs to another one, with which it is read. */
  public static boolean isPart(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".bin") || lower.equals("index.json");
  }

  /**
   * Opens a file.
   *
   * @throws RefusedException if it is none of tokens, or has no such column
   * @throws IOException if it cannot be read, or is not what its name says
   */
  public static TokenFile open(StoredFile file, TokenLayout layout)
      throws IOException, RefusedException {
    return switch (kind(file.name())) {
      case MEGATRON -> MegatronTokens.open(file, layout);
      case NUMPY -> NumpyTokens.open(file, layout);
      case MDS -> MdsTokens.open(file, layout);
      case PARQUET -> ParquetTokens.open(file, layout);
      case NONE ->
          throw new RefusedException(
              "a file of tokens must be named .idx (with its .bin), .mds, .parquet or .npy");
    };
  }

  private enum Kind {
    MEGATRON,
    NUMPY,
    MDS,
    PARQUET,
    NONE
  }

  private static Kind kind(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".idx")) {
      return Kind.MEGATRON;
    }
    if (lower.endsWith(".npy")) {
      return Kind.NUMPY;
    }
    if (lower.endsWith(".parquet")) {
      return Kind.PARQUET;
    }
    return lower.matches(".*\\.mds(\\.gz|\\.zst|\\.zstd)?") ? Kind.MDS : Kind.NONE;
  }
}
