package io.sluice.corpus.record;

import io.sluice.control.line.DomainField;
import io.sluice.control.line.JsonDocument;
import io.sluice.control.line.Line;
import io.sluice.control.line.LineDocuments;
import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.html.MainContent;
import io.sluice.corpus.parquet.ParquetRow;
import io.sluice.corpus.tokens.TokenRow;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.schema.Document;
import io.sluice.schema.Limits;
import io.sluice.schema.TokenDocument;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * Makes documents of a file's records. May be used by many threads at once.
 *
 * @param scoreField of a line of JSONL, a number above 0, which the document keeps as a property
 * @param source first part of the ids of documents that have none of their own
 * @param origin where the documents say that they come from
 */
public record RecordDocuments(
    RecordReading reading, Optional<String> scoreField, String source, String origin) {
  /**
   * The document that a record is, of text or of token ids; empty if there is nothing in it.
   *
   * @throws RefusedException saying why it is none
   */
  public Optional<SpecificRecordBase> of(FileRecord found) throws RefusedException {
    if (found instanceof FileRecord.OfLine line) {
      return line(line.line()).map(document -> document);
    }
    if (found instanceof FileRecord.OfRow row) {
      return row(row.row()).map(document -> document);
    }
    if (found instanceof FileRecord.OfTokens row) {
      return tokens(row.row()).map(document -> document);
    }
    return whole(((FileRecord.Whole) found).content()).map(document -> document);
  }

  /** The same of a line. */
  public Optional<Document> line(Line line) throws RefusedException {
    if (line.truncated()) {
      throw new RefusedException(reading.tooLarge("line has " + line.length()));
    }
    return new LineDocuments(
            reading.format() == Format.JSONL ? Optional.of(reading.fields()) : Optional.empty(),
            scoreField,
            source,
            origin)
        .of(line);
  }

  /**
   * Checks what can be said of a whole file without looking into it.
   *
   * @throws RefusedException if it is no text, or too large
   */
  public void requireText(byte[] content) throws RefusedException {
    if (Content.isBinary(content)) {
      throw new RefusedException("not text: a NUL byte in the first 8 KiB");
    }
    if (content.length > reading.maxDocument()) {
      throw new RefusedException(reading.tooLarge("document has at least " + content.length));
    }
  }

  /** The same of a whole file. */
  public Optional<Document> whole(byte[] content) throws RefusedException {
    requireText(content);
    String text = reading.format() == Format.HTML ? MainContent.of(content) : Utf8.require(content);
    return LineDocuments.usable(new Document(source, text, origin, 0L, Map.of(), null));
  }

  /** The same of a row of Parquet. */
  public Optional<Document> row(ParquetRow row) throws RefusedException {
    Optional<DomainField> domain = reading.fields().domain();
    if (domain.isEmpty()) {
      return document(row);
    }
    byte[] said = row.domain();
    return domain.get().own(said == null ? "" : Utf8.require(said), () -> document(row));
  }

  private Optional<Document> document(ParquetRow row) throws RefusedException {
    byte[] bytes = row.text();
    if (bytes == null) {
      throw new RefusedException("'" + reading.fields().text() + "' is null");
    }
    if (bytes.length > reading.maxDocument()) {
      throw new RefusedException(reading.tooLarge("document has " + bytes.length));
    }
    String text = Utf8.require(bytes);
    return LineDocuments.usable(
        new Document(
            id(row.id(), row.number()), text, origin, row.number(), properties(row), null));
  }

  private static Map<String, String> properties(ParquetRow row) throws RefusedException {
    Map<String, String> properties = new TreeMap<>();
    for (Map.Entry<String, byte[]> each : row.properties().entrySet()) {
      properties.put(each.getKey(), JsonDocument.property(each.getKey(), each.getValue()));
    }
    return properties;
  }

  /** The same of a document of token ids. */
  public Optional<TokenDocument> tokens(TokenRow row) throws RefusedException {
    TokenSource tokens = reading.tokens().orElseThrow();
    byte[] ids = tokens.ids().of(row);
    String id = id(row.id(), row.number());
    if (ids.length == 0) {
      return Optional.empty();
    }
    try {
      Limits.requireIngestedId(id);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
    return Optional.of(
        new TokenDocument(
            id,
            tokens.tokenizer(),
            tokens.ids().width(),
            ByteBuffer.wrap(ids),
            origin,
            row.number(),
            Map.of()));
  }

  /** A row's own id, or its place. */
  private String id(byte @Nullable [] own, long number) throws RefusedException {
    if (own == null || own.length == 0) {
      return source + ":" + number;
    }
    try {
      return Utf8.require(own);
    } catch (RefusedException e) {
      throw new RefusedException("'" + reading.fields().id() + "': " + e.getMessage());
    }
  }
}
