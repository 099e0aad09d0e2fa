package io.sluice.cli.ingest;

import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.TokenizerChoice;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import io.sluice.schema.KafkaAccess;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of files whose documents are token ids already. */
final class TokenOptions {
  private static final String DATASET = "dataset:";
  private static final String SHA256 = "sha256:";

  @Option(
      names = "--tokenized-by",
      paramLabel = "TOKENIZER",
      description =
          "The files hold ids of this tokenizer, which a dataset must name, too: Megatron's .idx with"
              + " .bin, MosaicML's .mds, .parquet, .npy. Nothing is decoded. A tokenizer as datasets name"
              + " it, dataset:NAME for that of a dataset, or sha256:DIGITS for a file that one was"
              + " applied with.")
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
   * @param access where datasets and the files of their tokenizers are
   * @param idField field of a document's own id
   * @param largest most bytes of a document's ids
   */
  Optional<TokenSource> source(Supplier<KafkaAccess> access, String idField, int largest) {
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
    try (Tokenizer named = named(access, tokenizer)) {
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

  private static Tokenizer named(Supplier<KafkaAccess> access, String name) {
    if (name.startsWith(DATASET)) {
      KafkaAccess kafka = access.get();
      String dataset = name.substring(DATASET.length());
      return DatasetSpecs.tokenizer(
          new DatasetCatalog(kafka).require(dataset), TokenizerStore.of(kafka));
    }
    if (name.startsWith(SHA256)) {
      TokenizerStore files = TokenizerStore.of(access.get());
      String digits = name.substring(SHA256.length());
      return Tokenizers.of(TokenizerChoice.newest("file:" + digits), files.content(name, digits));
    }
    return Tokenizers.forName(name);
  }
}
