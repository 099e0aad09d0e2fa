package io.sluice.cli.ingest;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.schema.KafkaAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which files are read, and how they become documents. */
final class InputOptions {
  private static final int MOST_THREADS = 1024;

  @Option(
      names = "--format",
      defaultValue = "auto",
      paramLabel = "FORMAT",
      description =
          "auto (by name), text (a document each file), html (its main content), jsonl, lines or"
              + " parquet; tokens with --tokenized-by. Default: auto.")
  private Format format = Format.AUTO;

  @Option(
      names = "--text-field",
      paramLabel = "FIELD",
      description = "The field of a JSON line, or column of Parquet, with the text. Default: text.")
  private String textField = Fields.STANDARD.text();

  @Option(
      names = "--id-field",
      paramLabel = "FIELD",
      description =
          "The field or column with the document's id; without it a document is called by its"
              + " place. Default: id.")
  private String idField = Fields.STANDARD.id();

  @Option(
      names = "--prompt-field",
      paramLabel = "FIELD",
      description =
          "The field of a JSON line with a text that comes before the document's, and is not"
              + " trained on; with --format jsonl. Default: none.")
  private Optional<String> promptField = Optional.empty();

  @Option(
      names = "--trained-field",
      paramLabel = "FIELD",
      description =
          "The field of a JSON line with the spans of the text that are trained on, [[start, end],"
              + " ...] in characters; with --format jsonl. Default: none.")
  private Optional<String> trainedField = Optional.empty();

  @Option(
      names = "--property-field",
      paramLabel = "FIELD",
      description =
          "A field of a JSON line, or column of Parquet, that the document keeps as a property, by which"
              + " 'run filter' may mean it; with --format jsonl or parquet; may be repeated. Default:"
              + " none.")
  private List<String> propertyFields = new ArrayList<>();

  @Option(
      names = "--max-document",
      paramLabel = "BYTES",
      description = "Larger documents and lines go to the dead letters. Default: 32Mi.")
  private String maxDocument = "32Mi";

  @Option(
      names = "--gitignore",
      description =
          "Below folders, leave out what their .gitignore files say, as git does; files that are"
              + " named are read all the same.")
  private boolean gitignore;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads that make documents of lines, rows and files, 1 to 1024; the corpus is the same for any"
              + " number. Default: processors.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Mixin private TokenOptions tokens = new TokenOptions();

  /** Whether anything says how files are read. */
  boolean given() {
    return tokens.given()
        || gitignore
        || format != Format.AUTO
        || !fields(Format.JSONL).equals(Fields.STANDARD)
        || !maxDocument.equals("32Mi");
  }

  Format format() {
    return format;
  }

  /** Threads that make documents, beside the one that reads. */
  int threads() {
    if (threads < 1 || threads > MOST_THREADS) {
      throw new BadInputException("--threads must be in [1, " + MOST_THREADS + "]: " + threads);
    }
    return threads;
  }

  /** Whether documents are token ids. */
  boolean areTokens() {
    return tokens.given();
  }

  /**
   * The settings of files as their options say.
   *
   * @param access where datasets are
   * @throws BadInputException if the options do not go together
   */
  IngestSettings settings(Supplier<KafkaAccess> access, String domain) {
    if (tokens.given()
        ? format != Format.AUTO && format != Format.TOKENS
        : format == Format.TOKENS) {
      throw new BadInputException(
          "--format tokens must come with --tokenized-by, and no other may");
    }
    Format as = tokens.given() ? Format.TOKENS : format;
    return settings(access, domain, as, Optional.empty());
  }

  /** The settings of JSON lines that have a score in this field. */
  IngestSettings scored(Supplier<KafkaAccess> access, String domain, String field) {
    return settings(access, domain, Format.JSONL, Optional.of(field));
  }

  private IngestSettings settings(
      Supplier<KafkaAccess> access, String domain, Format as, Optional<String> scoreField) {
    int largest = IngestSettings.limit(maxDocument);
    return new IngestSettings(
        domain,
        as,
        largest,
        fields(as),
        gitignore,
        scoreField,
        as == Format.TOKENS ? tokens.source(access, idField, largest) : Optional.empty());
  }

  private Fields fields(Format as) {
    Fields fields = new Fields(textField, idField, promptField, trainedField, propertyFields);
    if (fields.masks() && as != Format.JSONL) {
      throw new BadInputException("--prompt-field and --trained-field need --format jsonl");
    }
    if (!propertyFields.isEmpty() && as != Format.JSONL && as != Format.PARQUET) {
      throw new BadInputException("--property-field needs --format jsonl or parquet");
    }
    return fields;
  }
}
