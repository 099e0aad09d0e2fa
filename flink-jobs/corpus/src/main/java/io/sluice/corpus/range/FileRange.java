package io.sluice.corpus.range;

import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.record.RecordDigest;
import io.sluice.corpus.record.RecordReading;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records of a file that follow each other, as a {@link DocumentRange} says them.
 *
 * @param location where the file is
 * @param source first part of the ids of documents that have none of their own
 * @param version of the file when the records were counted, for people
 * @param fileBytes the file's size when the records were counted
 * @param passed records before them
 * @param records how many
 * @param begin where they begin in the decompressed content, if they are lines; else 0
 * @param bytes of that content, if they are lines; else of what is hashed
 * @param hash as {@link RecordDigest} makes it
 */
@SuppressWarnings("ArrayRecordComponent") // Compared where it is checked.
public record FileRange(
    String location,
    String source,
    RecordReading reading,
    String version,
    long fileBytes,
    long passed,
    int records,
    long begin,
    long bytes,
    byte[] hash) {
  /** Most records of a range. */
  public static final int MOST_RECORDS = 1 << 20;

  /** Most bytes of a range of several records. */
  public static final long MOST_BYTES = 4L << 20;

  private static final int LARGEST_DOCUMENT = 60 << 20;
  private static final int LONGEST_PATH = 4096;

  /**
   * What a record of a corpus says.
   *
   * @param dataset the tokenizer of the dataset that reads it
   * @throws RefusedException naming the field, the range and the value that is wrong
   */
  public static FileRange of(DocumentRange said, TokenSource dataset) throws RefusedException {
    String location = text("location", said.getLocation(), LONGEST_PATH);
    if (FileStores.isRemote(location)) {
      object(location, said.getFileVersion());
    }
    RecordReading reading = reading(said, dataset);
    int records = (int) number("records", said.getRecords(), 1, MOST_RECORDS);
    long passed = number("first", said.getFirst(), 1, Long.MAX_VALUE / 2) - 1;
    long begin = number("begin", said.getBegin(), 0, Long.MAX_VALUE / 4);
    long fileBytes = number("fileBytes", said.getFileBytes(), 1, Long.MAX_VALUE / 2);
    boolean content = reading.isLines() || reading.isWhole();
    long most = records > 1 ? MOST_BYTES : Long.MAX_VALUE / 4;
    long bytes = number("bytes", said.getBytes(), content ? 1 : 0, most);
    if (reading.isLines() && !Content.isCompressed(location)) {
      number("fileBytes", fileBytes, begin + bytes, Long.MAX_VALUE / 2);
    }
    if (reading.isWhole()) {
      number("records", records, 1, 1);
      number("first", passed + 1, 1, 1);
    }
    ByteBuffer hash = said.getHash().duplicate();
    byte[] digest =
        new byte[(int) number("hash", hash.remaining(), RecordDigest.BYTES, RecordDigest.BYTES)];
    hash.get(digest);
    String source = text("source", said.getSource(), Limits.DOCUMENT_ID_BYTES);
    return new FileRange(
        location,
        source,
        reading,
        said.getFileVersion(),
        fileBytes,
        passed,
        records,
        begin,
        bytes,
        digest);
  }

  /** An object's URL, and its ETag, as a request may have them. */
  private static void object(String location, String version) throws RefusedException {
    if (!location.matches("s3://[A-Za-z0-9][A-Za-z0-9._:-]{1,254}/[^/\\p{Cntrl}][^\\p{Cntrl}]*")
        || location.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH / 4) {
      throw wrong("location", "s3://BUCKET/KEY", location);
    }
    if (!version.matches("[!-~]{1,256}")) {
      throw wrong("fileVersion", "the object's ETag", version);
    }
  }

  private static RecordReading reading(DocumentRange said, TokenSource dataset)
      throws RefusedException {
    Format format =
        Arrays.stream(Format.values())
            .filter(each -> each != Format.AUTO)
            .filter(each -> name(each).equals(said.getFormat()))
            .findFirst()
            .orElseThrow(
                () ->
                    wrong(
                        "format", "text, html, jsonl, lines, parquet or tokens", said.getFormat()));
    int largest = (int) number("maxDocument", said.getMaxDocument(), 1, LARGEST_DOCUMENT);
    Fields fields =
        new Fields(
            text("textField", said.getTextField(), Limits.TEXT),
            text("idField", said.getIdField(), Limits.TEXT),
            text("promptField", said.getPromptField()),
            text("trainedField", said.getTrainedField()));
    if ((said.getTokenizer() != null) != (format == Format.TOKENS)) {
      throw wrong("tokenizer", "there with the format tokens, and with no other", said.getFormat());
    }
    return new RecordReading(
        format,
        fields,
        largest,
        format == Format.TOKENS ? Optional.of(tokens(said, dataset, largest)) : Optional.empty());
  }

  private static TokenSource tokens(DocumentRange said, TokenSource dataset, int largest)
      throws RefusedException {
    if (!dataset.tokenizer().equals(said.getTokenizer())) {
      throw wrong("tokenizer", dataset.tokenizer(), said.getTokenizer());
    }
    TokenType type =
        TokenType.named(said.getTokenType())
            .orElseThrow(
                () ->
                    wrong(
                        "tokenType",
                        "one of " + Arrays.toString(TokenType.values()),
                        said.getTokenType()));
    return new TokenSource(
        dataset.tokenizer(),
        dataset.ids(),
        new TokenLayout(
            type,
            text("tokensField", said.getTokensField()),
            said.getIdField(),
            dataset.layout().endOfDocument(),
            largest));
  }

  /** The record that says this. */
  public DocumentRange said() {
    Optional<TokenLayout> layout = reading.tokens().map(TokenSource::layout);
    return DocumentRange.newBuilder()
        .setLocation(location)
        .setSource(source)
        .setFormat(name(reading.format()))
        .setTextField(reading.fields().text())
        .setIdField(reading.fields().id())
        .setPromptField(reading.fields().prompt().orElse(null))
        .setTrainedField(reading.fields().trained().orElse(null))
        .setMaxDocument(reading.maxDocument())
        .setTokenizer(reading.tokens().map(TokenSource::tokenizer).orElse(null))
        .setTokenType(layout.map(TokenLayout::bytesType).orElse(TokenType.INT64).toString())
        .setTokensField(layout.flatMap(TokenLayout::tokensField).orElse(null))
        .setFileBytes(fileBytes)
        .setFileVersion(version)
        .setFirst(passed + 1)
        .setRecords(records)
        .setBegin(begin)
        .setBytes(bytes)
        .setHash(ByteBuffer.wrap(hash))
        .build();
  }

  /** For people: the file, and which of its records. */
  @Override
  public String toString() {
    return reading.isWhole()
        ? location
        : location + ":" + (passed + 1) + " to " + (passed + records);
  }

  private static String name(Format format) {
    return format.name().toLowerCase(Locale.ROOT);
  }

  private static long number(String field, long value, long least, long most)
      throws RefusedException {
    if (value < least || value > most) {
      throw wrong(field, "in [" + least + ", " + most + "]", Long.toString(value));
    }
    return value;
  }

  private static String text(String field, String value, int most) throws RefusedException {
    if (value.isEmpty() || value.length() > most) {
      throw wrong(field, "of 1 to " + most + " characters", value);
    }
    return value;
  }

  private static Optional<String> text(String field, @Nullable String value)
      throws RefusedException {
    return value == null ? Optional.empty() : Optional.of(text(field, value, Limits.TEXT));
  }

  private static RefusedException wrong(String field, String allowed, String value) {
    return new RefusedException(
        "DocumentRange: "
            + field
            + " must be "
            + allowed
            + ": found '"
            + Limits.shown(value)
            + "'");
  }
}
