package io.sluice.corpus.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.Ingestor;
import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.file.StoredFile;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class S3StoreTest {
  private static final int LINES = 30_000;

  private final TestingS3 s3 = new TestingS3("corpora");
  private final List<String> notices = new ArrayList<>();

  @AfterEach
  void close() {
    s3.close();
  }

  @Test
  void aPathIsAnObjectOrAllBelowItOrAPatternInTheOrderOfKeys() {
    for (String key :
        List.of(
            "wiki/b.jsonl", "wiki/a/x.jsonl", "wiki/.hidden", "wiki/c.txt", "wikipedia/d.txt")) {
      s3.put("corpora", key, "text of " + key);
    }
    assertThat(ids("s3://corpora/wiki"))
        .containsExactly("wiki/a/x.jsonl", "wiki/b.jsonl", "wiki/c.txt");
    assertThat(ids("s3://corpora/wiki/")).isEqualTo(ids("s3://corpora/wiki"));
    assertThat(ids("s3://corpora/wiki/c.txt")).containsExactly("c.txt");
    assertThat(ids("s3://corpora/wiki/*.jsonl")).containsExactly("wiki/b.jsonl");
    assertThat(ids("s3://corpora/**.jsonl"))
        .containsExactly("corpora/wiki/a/x.jsonl", "corpora/wiki/b.jsonl");
    assertThat(ids("s3://corpora/wiki*/[c-d].txt"))
        .containsExactly("corpora/wiki/c.txt", "corpora/wikipedia/d.txt");
    assertThat(ids("s3://corpora")).hasSize(4);
    assertThatThrownBy(() -> ids("s3://corpora/wik"))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("hold at least one")
        .hasMessageContaining("s3://corpora/wik");
  }

  @Test
  void moreObjectsThanAPageHasAreAllListed() {
    for (int i = 0; i < 1005; i++) {
      s3.put("corpora", String.format("many/%04d", i), "x");
    }
    assertThat(ids("s3://corpora/many")).hasSize(1005).isSorted();
  }

  @Test
  void anObjectIsReadFromAnyPlace() throws IOException {
    s3.put("corpora", "a.bin", "0123456789");
    s3.put("corpora", "empty", "");
    try (FileStores stores = stores(Duration.ofSeconds(5))) {
      StoredFile file = stores.find("s3://corpora/a.bin");
      assertThat(file.bytes()).isEqualTo(10);
      try (InputStream whole = file.open(0);
          InputStream behind = file.open(7);
          InputStream end = file.open(10)) {
        assertThat(whole.readAllBytes()).asString().isEqualTo("0123456789");
        assertThat(behind.readAllBytes()).asString().isEqualTo("789");
        assertThat(end.read()).isEqualTo(-1);
      }
      try (FileBytes bytes = file.bytesAnywhere()) {
        ByteBuffer three = ByteBuffer.allocate(3);
        assertThat(bytes.read(three, 4)).isEqualTo(3);
        assertThat(three.array()).asString(StandardCharsets.UTF_8).isEqualTo("456");
      }
      assertThat(file.beside("empty").open(0).readAllBytes()).isEmpty();
      assertThatThrownBy(() -> file.beside("none")).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void aServerThatIsKilledInTheMiddleAndComesBackIsReadOnFromThere() throws IOException {
    s3.put("corpora", "big/a.jsonl", lines(0));
    s3.put("corpora", "big/b.jsonl.gz", gzip(lines(LINES)));
    List<Document> taken = new ArrayList<>();
    Consumer<String> comesBack =
        notice -> {
          notices.add(notice);
          s3.start();
        };
    Sink sink =
        new Sink(
            document -> {
              taken.add(document);
              if (taken.size() == 1000 || taken.size() == LINES + 1000) {
                s3.kill();
              }
            });
    try (FileStores stores = new FileStores(new S3Settings(Duration.ofMinutes(1), comesBack))) {
      IngestReport report = ingest(stores, sink, "s3://corpora/big");
      assertThat(report.documents()).isEqualTo(2 * LINES);
      assertThat(report.deadLetters()).isZero();
    }
    assertThat(taken).hasSize(2 * LINES);
    for (int i = 0; i < taken.size(); i++) {
      assertThat(taken.get(i).getText()).isEqualTo(text(i));
    }
    assertThat(notices).isNotEmpty();
    assertThat(notices.get(0)).contains("s3://corpora/big/a.jsonl").contains("waiting");
  }

  @Test
  void aServerThatStaysAwayIsAnErrorThatSaysSoAndNoDeadLetter() {
    s3.put("corpora", "big.jsonl", lines(0));
    Sink sink =
        new Sink(
            document -> {
              s3.kill();
            });
    try (FileStores stores = stores(Duration.ofMillis(300))) {
      assertThatThrownBy(() -> ingest(stores, sink, "s3://corpora/big.jsonl"))
          .isInstanceOf(UnreachableException.class)
          .hasMessageContaining("s3://corpora/big.jsonl: the store at " + s3.endpoint())
          .hasMessageContaining("the same command goes on");
      assertThat(sink.deadLetters).isEmpty();
      assertThatThrownBy(() -> stores.list("s3://corpora/x", false))
          .isInstanceOf(UnreachableException.class);
    }
  }

  @Test
  void anObjectThatChangesWhileItIsReadIsGivenUpAndNeverAMixture() {
    s3.put("corpora", "a.jsonl", lines(0));
    s3.put("corpora", "b.jsonl", "{\"text\":\"b\"}\n");
    List<String> texts = new ArrayList<>();
    Sink sink =
        new Sink(
            document -> {
              texts.add(document.getText());
              if (texts.size() == 1000) {
                s3.kill();
                s3.put("corpora", "a.jsonl", lines(LINES));
              }
            });
    S3Settings settings = new S3Settings(Duration.ofMinutes(1), notice -> s3.start());
    IngestReport report;
    try (FileStores stores = new FileStores(settings)) {
      report = ingest(stores, sink, "s3://corpora");
    }
    assertThat(report.givenUp()).isEqualTo(1);
    assertThat(report.firstRefusals().get(0))
        .contains("s3://corpora/a.jsonl was changed while it was read");
    assertThat(texts).last().isEqualTo("b");
    for (int i = 0; i < texts.size() - 1; i++) {
      // The last line of the old version may be cut off, and is never another's.
      assertThat(texts.get(i)).isEqualTo(text(i));
    }
  }

  @Test
  void parquetIsReadByItsPlacesAndASingleWrongOneIsADeadLetter() throws IOException {
    Path samples = Path.of("src/test/resources/parquet");
    s3.put("corpora", "p/a.parquet", Files.readAllBytes(samples.resolve("zstd.parquet")));
    s3.put("corpora", "p/b.parquet", "no parquet at all");
    Sink local = new Sink(document -> {});
    Sink sink = new Sink(document -> {});
    new Ingestor(IngestSettings.of("web"), local, clock(), bytes -> {})
        .paths(List.of(samples.resolve("zstd.parquet")));
    try (FileStores stores = stores(Duration.ofSeconds(5))) {
      ingest(stores, sink, "s3://corpora/p");
    }
    assertThat(sink.documents).isNotEmpty();
    assertThat(sink.documents.stream().map(Document::getText))
        .containsExactlyElementsOf(local.documents.stream().map(Document::getText).toList());
    assertThat(sink.deadLetters).hasSize(local.deadLetters.size() + 1);
    assertThat(sink.deadLetters)
        .last()
        .extracting(DeadLetter::getReason)
        .asString()
        .startsWith("cannot be read to its end: not Parquet, or damaged: it is not a Parquet file");
  }

  @Test
  void whatTheStoreRefusesSaysWhatIsToBeDoneAndNoSecret() throws IOException {
    s3.put("corpora", "a.txt", "a");
    try (FileStores stores = stores(Duration.ofSeconds(5))) {
      assertThatThrownBy(() -> stores.list("s3://elsewhere/a", false))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("s3://elsewhere/a: the store at " + s3.endpoint() + " says 404")
          .hasMessageContaining("there is no bucket 'elsewhere'");
      StoredFile file = stores.find("s3://corpora/a.txt");
      s3.remove("corpora", "a.txt");
      assertThatThrownBy(() -> file.open(0).read())
          .isInstanceOf(FileChangedException.class)
          .hasMessage("s3://corpora/a.txt is gone since it was found");
    }
    System.setProperty("aws.secretAccessKey", "not-the-secret");
    try (FileStores stores = stores(Duration.ofSeconds(5))) {
      assertThatThrownBy(() -> stores.list("s3://corpora/a.txt", false))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("says 403 SignatureDoesNotMatch: the credentials must have")
          .hasMessageNotContaining("not-the-secret");
    }
    assertThatThrownBy(() -> ids("s3:///a")).hasMessageContaining("PATH must be s3://BUCKET/KEY");
  }

  private List<String> ids(String path) {
    try (FileStores stores = stores(Duration.ofSeconds(5))) {
      return SourceFiles.below(stores, List.of(path), false).files().stream()
          .map(SourceFile::id)
          .toList();
    }
  }

  private FileStores stores(Duration patience) {
    return new FileStores(new S3Settings(patience, notices::add));
  }

  private static IngestReport ingest(FileStores stores, Sink sink, String path) {
    SourceFiles files = SourceFiles.below(stores, List.of(path), false);
    return new Ingestor(IngestSettings.of("web"), sink, clock(), bytes -> {}).files(files);
  }

  /** Keeps what comes, and lets something happen then. */
  private static final class Sink implements DocumentSink {
    private final List<Document> documents = new ArrayList<>();
    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private final Consumer<Document> then;

    Sink(Consumer<Document> then) {
      this.then = then;
    }

    @Override
    public void document(Document document, byte[] encoded) {
      documents.add(document);
      then.accept(document);
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      deadLetters.add(letter);
    }
  }

  private static InstantSource clock() {
    return InstantSource.fixed(Instant.EPOCH);
  }

  private static String text(int line) {
    return line + " " + "abcdefghij".repeat(60);
  }

  private static String lines(int from) {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < from + LINES; i++) {
      lines.append("{\"text\":\"").append(text(i)).append("\"}\n");
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
}
