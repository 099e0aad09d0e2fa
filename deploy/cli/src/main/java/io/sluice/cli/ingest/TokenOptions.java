package io.sluice.cli.ingest;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of files whose documents are token ids already. */
final class TokenOptions {
  @Option(
      names = "--tokenized-by",
      paramLabel = "TOKENIZER",
      description =
          "The files hold ids of this tokenizer, which a dataset must name, too: Megatron's .idx with"
              + " .bin, MosaicML's .mds, .parquet, .npy. Nothing is decoded.")
  private @Nullable String tokenizer;

  @Option(
      names = "--tokens-field",
      paramLabel = "FIELD",
      description = "Their column with the ids. Default: input_ids, of .mds tokens.")
  private @Nullable String field;

  @Option(
      names = "--token-type",
      paramLabel = "TYPE",
      description =
          "How a column of bytes in .mds holds ids, such as uint16 or int32. Default: int64.")
  private String type = TokenType.INT64.toString();

  /** Whether the files hold token ids. */
  boolean given() {
    return tokenizer != null;
  }

  /**
   * What the files hold; empty if texts.
   *
   * @param idField field of a document's own id
   * @param largest most bytes of a document's ids
   */
  Optional<TokenSource> source(String idField, int largest) {
    if (tokenizer == null) {
      return Optional.empty();
    }
    TokenType bytesType =
        TokenType.named(type)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "--token-type must be one of "
                            + Arrays.toString(TokenType.values())
                            + ": '"
                            + type
                            + "'"));
    try (Tokenizer named = Tokenizers.forName(tokenizer)) {
      Vocabulary vocabulary = named.vocabulary();
      return Optional.of(
          new TokenSource(
              named.identity(),
              new TokenIds(vocabulary.size(), vocabulary.tokenWidth()),
              new TokenLayout(
                  bytesType,
                  Optional.ofNullable(field),
                  idField,
                  vocabulary.endOfDocument(),
                  largest)));
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--tokenized-by: " + e.getMessage(), e);
    }
  }
}
