package io.sluice.corpus.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.RangeIngestor;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.corpus.store.TestingS3;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ranges of objects. */
class RootedFilesTest {
  private static final int LINES = 6_000;
  private static final Pauses NONE = failed -> false;
  private static final TokenSource DATASET =
      new TokenSource(
          "bytes",
          new TokenIds(257, 2),
          new TokenLayout(TokenType.INT64, Optional.empty(), "id", 256, 1));

  private final TestingS3 s3 = new TestingS3("corpora");
  private final List<String> notices = new ArrayList<>();

  @AfterEach
  void close() {
    s3.close();
  }

  @Test
  void aServerThatIsKilledBetweenRangesIsWaitedForAndEachRecordIsReadOnce() throws Exception {
    s3.put("corpora", "web/a.jsonl", lines(0));
    s3.put("corpora", "web/b.jsonl.gz", gzip(lines(LINES)));
    s3.put("corpora", "web/c.txt", "a text");
    s3.put("corpora", "web/d.parquet", parquet());
    List<FileRange> ranges = ranges("s3://corpora/web");
    assertThat(ranges).hasSizeGreaterThan(8);
    List<String> read = new ArrayList<>();
    try (RangeReader reader = reader(Duration.ofMinutes(1), notice -> s3.start())) {
      String before = "";
      for (FileRange range : ranges) {
        if (!range.location().equals(before)) {
          s3.kill();
        }
        before = range.location();
        reader.begin(range).call().forEach(each -> read.add(text(each)));
      }
    }
    assertThat(notices).hasSizeGreaterThan(2);
    assertThat(notices.get(0)).startsWith("s3://corpora/web/a.jsonl: waiting for the store at");
    assertThat(read.subList(0, 2 * LINES + 1)).doesNotHaveDuplicates();
    assertThat(String.join("\n", read.subList(0, 2 * LINES)) + "\n")
        .isEqualTo(lines(0) + lines(LINES));
    assertThat(read.get(2 * LINES)).isEqualTo("a text");
    assertThat(read).hasSizeGreaterThan(2 * LINES + 1);
  }

  @Test
  void anObjectThatWasWrittenAgainOrIsGoneIsRefusedAndOthersAreRead() throws Exception {
    for (String name : List.of("a.jsonl", "b.jsonl", "c.jsonl")) {
      s3.put("corpora", "web/" + name, lines(0));
    }
    List<FileRange> ranges = ranges("s3://corpora/web");
    s3.put("corpora", "web/a.jsonl", lines(0) + "{\"text\": \"more\"}\n");
    s3.remove("corpora", "web/b.jsonl");
    try (RangeReader reader = reader(Duration.ofSeconds(5), notice -> {})) {
      for (FileRange range : ranges) {
        if (range.location().endsWith("c.jsonl")) {
          assertThat(reader.begin(range).call()).hasSize(range.records());
          continue;
        }
        String why =
            range.location().endsWith("b.jsonl")
                ? " is missing"
                : " is not what it was when it was ingested: the object is another version";
        assertThatThrownBy(() -> reader.begin(range).call())
            .isInstanceOf(RefusedException.class)
            .hasMessage(range + why);
      }
    }
  }

  @Test
  void aStoreThatStaysAwayOrRefusesIsNoVerdict() throws Exception {
    s3.put("corpora", "web/a.jsonl", lines(0));
    FileRange range = ranges("s3://corpora/web").get(0);
    s3.kill();
    try (RangeReader reader = reader(Duration.ofMillis(200), notice -> {})) {
      assertThatThrownBy(() -> reader.begin(range).call())
          .isInstanceOf(SourceFailedException.class)
          .hasMessageContaining("the store at " + s3.endpoint() + " does not answer");
      s3.start();
      assertThat(reader.begin(range).call()).hasSize(range.records());
    }
    FileRange elsewhere =
        range(DocumentRange.newBuilder(range.said()).setLocation("s3://gone/web/a.jsonl"));
    try (RangeReader reader = reader(Duration.ofSeconds(5), notice -> {})) {
      assertThatThrownBy(() -> reader.begin(elsewhere).call())
          .isInstanceOf(SourceFailedException.class)
          .hasMessageContaining("there is no bucket 'gone'");
    }
    System.setProperty("aws.secretAccessKey", "not-the-secret");
    try (RangeReader reader = reader(Duration.ofSeconds(5), notice -> {})) {
      assertThatThrownBy(() -> reader.begin(range).call())
          .isInstanceOf(SourceFailedException.class)
          .hasMessageContaining("says 403 SignatureDoesNotMatch")
          .hasMessageNotContaining("not-the-secret");
    }
  }

  @Test
  void aRangeThatSaysWhatCannotBeOrIsElsewhereIsRefused() throws Exception {
    s3.put("corpora", "web/a.jsonl", lines(0));
    s3.put("corpora", "secret/a.jsonl", lines(0));
    List<FileRange> ranges = ranges("s3://corpora/web");
    DocumentRange good = ranges.get(ranges.size() - 1).said();
    try (RangeReader reader = reader(Duration.ofSeconds(5), notice -> {})) {
      FileRange larger = range(DocumentRange.newBuilder(good).setFileBytes(1L << 40));
      FileRange behind =
          range(DocumentRange.newBuilder(good).setFileBytes(1L << 40).setBegin(1L << 39));
      for (FileRange each : List.of(larger, behind)) {
        assertThatThrownBy(() -> reader.begin(each).call()).isInstanceOf(RefusedException.class);
      }
      for (String location :
          List.of(
              "s3://corpora/secret/a.jsonl",
              "s3://corpora/website/a.jsonl",
              "s3://corpora/web/../secret/a.jsonl",
              "s3://corpora/web")) {
        FileRange other = range(DocumentRange.newBuilder(good).setLocation(location));
        assertThatThrownBy(() -> reader.begin(other).call()).isInstanceOf(RefusedException.class);
      }
    }
    for (String location : List.of("s3://", "s3://corpora", "s3://corpora/", "s3:///web/a")) {
      assertThatThrownBy(() -> range(DocumentRange.newBuilder(good).setLocation(location)))
          .hasMessageContaining("location must be s3://BUCKET/KEY");
    }
    assertThatThrownBy(() -> range(DocumentRange.newBuilder(good).setFileVersion("")))
        .hasMessageContaining("fileVersion must be the object's ETag");
    assertThatThrownBy(() -> range(DocumentRange.newBuilder(good).setFileVersion("a\r\nb: c")))
        .isInstanceOf(RefusedException.class);
  }

  private static FileRange range(DocumentRange.Builder said) throws RefusedException {
    return FileRange.of(said.build(), DATASET);
  }

  private RangeReader reader(Duration patience, Consumer<String> noticed) {
    S3Settings settings = new S3Settings(patience, notices::add);
    S3Settings told =
        new S3Settings(
            patience,
            notice -> {
              settings.notice().accept(notice);
              noticed.accept(notice);
            });
    SourceRoots roots = SourceRoots.named(List.of("s3://corpora/web", "s3://gone/"));
    return new RangeReader(new RootedFiles(roots, new FileStores(told)), NONE);
  }

  /** As an ingest writes them, and a job reads them. */
  private List<FileRange> ranges(String path) throws Exception {
    List<FileRange> ranges = new ArrayList<>();
    DocumentSink sink =
        new DocumentSink() {
          @Override
          public void document(Document document, byte[] encoded) {
            throw new AssertionError(document.getId());
          }

          @Override
          public void ranges(List<FileRange> closed) {
            ranges.addAll(closed);
          }

          @Override
          public void deadLetter(DeadLetter letter) {
            throw new AssertionError(letter.getReason());
          }
        };
    try (FileStores stores = new FileStores(S3Settings.usual(notices::add))) {
      new RangeIngestor(
              IngestSettings.of("web"), sink, InstantSource.fixed(Instant.EPOCH), bytes -> {})
          .files(SourceFiles.below(stores, List.of(path), false));
    }
    List<FileRange> read = new ArrayList<>();
    for (FileRange each : ranges) {
      read.add(range(DocumentRange.newBuilder(each.said())));
    }
    return read;
  }

  private static String text(FileRecord each) {
    return new String(each.payload(), StandardCharsets.UTF_8);
  }

  private static String lines(int from) {
    StringBuilder lines = new StringBuilder();
    for (int line = from; line < from + LINES; line++) {
      lines.append("{\"text\": \"").append(line).append(" abcdefghij".repeat(60)).append("\"}\n");
    }
    return lines.toString();
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] parquet() throws IOException {
    return Files.readAllBytes(Path.of("src/test/resources/parquet/zstd.parquet"));
  }
}
