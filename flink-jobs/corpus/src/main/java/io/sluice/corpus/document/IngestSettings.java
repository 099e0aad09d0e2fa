package io.sluice.corpus.document;

import io.sluice.control.config.Quantity;
import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.record.RecordDocuments;
import io.sluice.corpus.record.RecordReading;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.schema.Document;
import io.sluice.schema.Topics;
import java.util.Locale;
import java.util.Optional;

/**
 * How files become the documents of a domain.
 *
 * @param domain name of the domain
 * @param format how a file is divided into documents
 * @param maxDocument most UTF-8 bytes of one document, in [1, {@link #LARGEST_DOCUMENT}]; a larger
 *     one goes to the dead letters
 * @param fields where text and id are in lines of JSONL and rows of Parquet
 * @param gitignore leave out what {@code .gitignore} files below the folders say
 * @param scoreField of a line of JSONL, a number above 0, which the document keeps as a property;
 *     lines without it go to the dead letters
 * @param tokens what files of token ids hold, if and only if the format is that
 */
public record IngestSettings(
    String domain,
    Format format,
    int maxDocument,
    Fields fields,
    boolean gitignore,
    Optional<String> scoreField,
    Optional<TokenSource> tokens) {
  /** Largest document that a corpus topic takes, in bytes. */
  public static final int LARGEST_DOCUMENT = 60 << 20;

  /** Limit of a document's size unless another is given, in bytes. */
  public static final int DEFAULT_DOCUMENT = 32 << 20;

  /** Checks the domain's name, the range, and what belongs together. */
  public IngestSettings {
    Topics.requireName("domain", domain);
    if (maxDocument < 1 || maxDocument > LARGEST_DOCUMENT) {
      throw new IllegalArgumentException(
          "max-document must be from 1 to " + LARGEST_DOCUMENT + " bytes: " + maxDocument);
    }
    if (tokens.isPresent() != (format == Format.TOKENS)) {
      throw new IllegalArgumentException("format must be tokens where their tokenizer is named");
    }
  }

  /** Documents without scores, in the usual fields. */
  public IngestSettings(String domain, Format format, int maxDocument) {
    this(domain, format, maxDocument, Fields.STANDARD, Optional.empty());
  }

  /** Documents of all files that are not hidden. */
  public IngestSettings(
      String domain, Format format, int maxDocument, Fields fields, Optional<String> scoreField) {
    this(domain, format, maxDocument, fields, false, scoreField, Optional.empty());
  }

  /** Formats by name and the default limit. */
  public static IngestSettings of(String domain) {
    return new IngestSettings(domain, Format.AUTO, DEFAULT_DOCUMENT);
  }

  /** The same where a domain tells what is of none; see {@link Fields#toldBy}. */
  public IngestSettings toldBy(String teller) {
    return new IngestSettings(
        domain, format, maxDocument, fields.toldBy(teller), gitignore, scoreField, tokens);
  }

  /** What decides into which documents a file is divided. */
  public String reading(SourceFile source) {
    if (tokens.isPresent()) {
      TokenLayout layout = tokens.get().layout();
      return String.format(
          "%s of %s, in '%s' of %s, id in '%s'",
          formatName(),
          tokens.get().tokenizer(),
          layout.tokensField().orElse(""),
          layout.bytesType(),
          layout.idField());
    }
    Format here = Content.format(format, source.file().name());
    return here == Format.JSONL || here == Format.PARQUET
        ? name(here) + fields.places()
        : name(here);
  }

  /**
   * What makes documents of a file's records.
   *
   * @param as its format, which is not {@link Format#AUTO}
   */
  public RecordDocuments documents(SourceFile source, Format as) {
    return new RecordDocuments(records(as), scoreField, source.id(), source.origin());
  }

  /** How files of a format are divided into records. */
  RecordReading records(Format as) {
    return new RecordReading(as, fields, maxDocument, tokens);
  }

  /**
   * What is made of a record.
   *
   * @throws RefusedException if it is none; one that is refused before it is known which domain it
   *     is of is {@link RefusedException#ofAnotherDomain another's}, if that tells it
   */
  Optional<Document> made(DocumentWork.Maker maker) throws RefusedException {
    try {
      return maker.make();
    } catch (RefusedException e) {
      if (fields.leaveRefusals() && !e.isOfItsDomain() && !e.isOfAnotherDomain()) {
        throw RefusedException.ofAnotherDomain();
      }
      throw e;
    }
  }

  /** What the format is called. */
  public String formatName() {
    return name(format);
  }

  private static String name(Format format) {
    return format.name().toLowerCase(Locale.ROOT);
  }

  /** The bytes that {@code --max-document} holds. */
  public static int limit(String maxDocument) {
    return Quantity.parse(maxDocument)
        .filter(q -> q.unit().isEmpty() && q.value() > 0)
        .filter(q -> q.value() <= LARGEST_DOCUMENT)
        .map(q -> (int) q.value())
        .orElseThrow(
            () ->
                new BadInputException(
                    "--max-document must be from 1 to 60Mi bytes: '" + maxDocument + "'"));
  }
}
