package io.sluice.corpus.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.sluice.control.error.BadInputException;
import io.sluice.control.line.DomainField;
import io.sluice.control.line.Fields;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.Document;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IngestorTest {
  private static final long PARQUET_ROWS = 8;

  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(42));

  private final TestingSink sink = new TestingSink();

  @TempDir Path directory;
  private Path corpus;

  @BeforeEach
  void makeCorpus() throws IOException {
    corpus = Files.createDirectories(directory.resolve("corpus"));
  }

  @Test
  void aFolderIsReadInTheOrderOfNames() throws IOException {
    write("b.txt", "second");
    write("a/z.md", "first");
    write("c.jsonl", "{\"text\":\"third\"}\n\n{\"text\":\"fourth\",\"id\":7}\n");
    IngestReport report = ingest(corpus);

    assertThat(sink.texts()).containsExactly("first", "second", "third", "fourth");
    assertThat(sink.ids())
        .containsExactly("corpus/a/z.md", "corpus/b.txt", "corpus/c.jsonl:1", "7");
    assertThat(sink.documents.get(3).getLine()).isEqualTo(3);
    assertThat(sink.documents.get(0).getOrigin()).isEqualTo(corpus.resolve("a/z.md").toString());
    assertThat(report.documents()).isEqualTo(4);
    assertThat(report.bytes()).isEqualTo(22);
    assertThat(report.files()).isEqualTo(3);
    assertThat(report.skippedEmpty()).isEqualTo(1);
  }

  @Test
  void anIdBeyondAKibibyteIsADeadLetterWithItsPlace() throws IOException {
    String longest = "\u00e9".repeat(512);
    String line = "{\"text\": \"t\", \"id\": \"%s\"}\n";
    write("a.jsonl", line.formatted(longest) + line.formatted(longest + "x") + line.formatted("b"));
    ingest(corpus);

    assertThat(sink.ids()).containsExactly(longest, "b");
    assertThat(sink.deadLetters)
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.getOrigin()).isEqualTo(corpus.resolve("a.jsonl").toString());
              assertThat(letter.getPosition()).isEqualTo(2);
              assertThat(letter.getReason())
                  .isEqualTo(
                      "document id must have at most 1024 bytes: 1025, '"
                          + "\u00e9".repeat(79)
                          + "\u2026'");
            });
  }

  @Test
  void hiddenBinaryAndEmptyFilesBelowAFolderAreSkippedAndCounted() throws IOException {
    write("a.txt", "a");
    write("blank.txt", " \n");
    write(".hidden", "x");
    write(".git/config", "x");
    Files.write(corpus.resolve("image.png"), new byte[] {(byte) 0x89, 'P', 0, 1});
    IngestReport report = ingest(corpus);

    assertThat(sink.texts()).containsExactly("a");
    assertThat(report.skippedHidden()).isEqualTo(2);
    assertThat(report.skippedBinary()).isEqualTo(1);
    assertThat(report.skippedEmpty()).isEqualTo(1);
    assertThat(report.deadLetters()).isZero();
  }

  @Test
  void aFileOfWhichNoLineCanBeUsedIsNotReadOn() throws IOException {
    write("a.jsonl", "prose, not JSON\n".repeat(5000));
    write("b.jsonl", "prose\n".repeat(99) + "{\"text\": \"used\"}\n" + "prose\n".repeat(200));
    IngestReport report = ingest(corpus);

    assertThat(sink.texts()).containsExactly("used");
    assertThat(report.givenUp()).isEqualTo(1);
    assertThat(report.deadLetters()).isEqualTo(101 + 299);
    assertThat(sink.refusals().get(100))
        .isEqualTo(
            "101: the rest is not read, since none of the first 100 lines could be used as jsonl");
  }

  @Test
  void aBinaryFileThatWasNamedIsADeadLetter() throws IOException {
    Path image = Files.write(corpus.resolve("image"), new byte[] {1, 0, 1});
    IngestReport report = ingest(image);
    assertThat(report.deadLetters()).isEqualTo(1);
    assertThat(sink.refusals()).containsExactly("0: not text: a NUL byte in the first 8 KiB");
  }

  @Test
  void badLinesAreDeadLettersAndTheRestIsKept() throws IOException {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    lines.writeBytes("{\"text\":\"good\"}\n".getBytes(UTF_8));
    lines.writeBytes("{\"text\": \"cut\n".getBytes(UTF_8));
    lines.writeBytes("{\"body\":\"x\"}\n[1]\n{\"text\":5}\n".getBytes(UTF_8));
    lines.writeBytes(new byte[] {'{', '"', (byte) 0xFF, '\n'});
    lines.writeBytes("{\"text\":\"a\"}{\"text\":\"b\"}\n".getBytes(UTF_8));
    lines.writeBytes("{\"text\":\"half \\ud800\"}\n".getBytes(UTF_8));
    lines.writeBytes("{\"text\":\"a\",\"text\":\"b\"}\n".getBytes(UTF_8));
    lines.writeBytes("{\"text\":\"a\",\"id\":\"\"}\r\n".getBytes(UTF_8));
    lines.writeBytes("{\"text\":\"last\"}".getBytes(UTF_8));
    Path file = Files.write(corpus.resolve("x.jsonl"), lines.toByteArray());
    IngestReport report = ingest(file);

    assertThat(sink.texts()).containsExactly("good", "last");
    assertThat(sink.ids()).containsExactly("x.jsonl:1", "x.jsonl:11");
    assertThat(sink.refusals()).hasSize(9);
    assertThat(sink.refusals().get(0)).startsWith("2: not JSON: ");
    assertThat(sink.refusals().get(1)).isEqualTo("3: 'text' must be a string: found nothing");
    assertThat(sink.refusals().get(2)).isEqualTo("4: must be a JSON object: found array");
    assertThat(sink.refusals().get(3)).isEqualTo("5: 'text' must be a string: found number");
    assertThat(sink.refusals().get(4)).isEqualTo("6: not UTF-8 at byte 2");
    assertThat(sink.refusals().get(5)).startsWith("7: not JSON: ");
    assertThat(sink.refusals().get(6)).startsWith("8: 'text' must be Unicode");
    assertThat(sink.refusals().get(7)).startsWith("9: not JSON: Duplicate field 'text'");
    assertThat(sink.refusals().get(8)).isEqualTo("10: 'id' must not be empty");
    assertThat(report.deadLetters()).isEqualTo(9);
    assertThat(report.firstRefusals()).hasSize(5);
    assertThat(report.firstRefusals().get(1)).startsWith(file + ":3: ");
    assertThat(sink.deadLetters.get(1).getPayload().array())
        .isEqualTo("{\"body\":\"x\"}".getBytes(UTF_8));
    assertThat(sink.deadLetters.get(1).getTimeMillis()).isEqualTo(42);
  }

  @Test
  void aHugeLineIsRefusedWithItsBeginningOnly() {
    byte[] huge = new byte[50_000_000];
    Arrays.fill(huge, (byte) 'x');
    byte[] after = "\nsmall".getBytes(UTF_8);
    IngestSettings settings = new IngestSettings("java", Format.LINES, 1 << 20);
    IngestReport report =
        new Ingestor(settings, sink, CLOCK, bytes -> {})
            .stream(
                new SequenceInputStream(
                    new ByteArrayInputStream(huge), new ByteArrayInputStream(after)));

    assertThat(sink.texts()).containsExactly("small");
    assertThat(sink.ids()).containsExactly("-:2");
    assertThat(sink.refusals()).containsExactly("1: line has 50000000 bytes; the limit is 1048576");
    assertThat(sink.deadLetters.get(0).getPayload().remaining()).isEqualTo(64 << 10);
    assertThat(report.deadLetters()).isEqualTo(1);
  }

  @Test
  void theLimitItselfIsAllowed() throws IOException {
    Path lines = write("lines", "12345\r\n123456\n12345");
    Path exact = write("exact.txt", "12345");
    Path longer = write("longer.txt", "123456");
    new Ingestor(new IngestSettings("java", Format.LINES, 5), sink, CLOCK, bytes -> {})
        .paths(List.of(lines));
    assertThat(sink.texts()).containsExactly("12345", "12345");
    assertThat(sink.refusals()).containsExactly("2: line has 6 bytes; the limit is 5");

    new Ingestor(new IngestSettings("java", Format.TEXT, 5), sink, CLOCK, bytes -> {})
        .paths(List.of(exact, longer));
    assertThat(sink.texts()).hasSize(3);
    assertThat(sink.refusals()).contains("0: document has at least 6 bytes; the limit is 5");
  }

  @Test
  void compressedFilesAreReadByTheirInnerName() throws IOException {
    Files.write(corpus.resolve("a.txt.gz"), gzip("zipped"));
    Files.write(corpus.resolve("b.jsonl.zst"), Zstd.compress("{\"text\":\"é\"}".getBytes(UTF_8)));
    ingest(corpus);
    assertThat(sink.texts()).containsExactly("zipped", "é");
    assertThat(sink.ids()).containsExactly("corpus/a.txt.gz", "corpus/b.jsonl.zst:1");
  }

  @Test
  void aCompressedFileThatIsCutIsADeadLetterAndGivenUp() throws IOException {
    byte[] whole = gzip("some text that goes on for a while");
    Files.write(corpus.resolve("a.txt.gz"), Arrays.copyOf(whole, whole.length - 12));
    Files.write(corpus.resolve("b.txt.gz"), "no gzip".getBytes(UTF_8));
    write("c.txt", "good");
    assertThat(ingest(corpus).givenUp()).isEqualTo(2);
    assertThat(sink.texts()).containsExactly("good");
    assertThat(sink.refusals().get(0)).startsWith("0: cannot be read to its end: ");
    assertThat(sink.refusals().get(1)).startsWith("0: cannot be read: ");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheText() throws IOException {
    ingest(write("a.txt", "\uFEFFtext with \uFFFD kept"));
    assertThat(sink.texts()).containsExactly("text with \uFFFD kept");
  }

  @Test
  void wrongPathsAreNamed() throws IOException {
    Path missing = directory.resolve("missing");
    assertRefused(missing).hasMessage("PATH must exist: " + missing);
    assertRefused(corpus)
        .hasMessage("PATH must hold at least one file that is not hidden: " + corpus);
    Path one = write("x/a.txt", "a");
    Path two = write("y/a.txt", "b");
    assertThatThrownBy(() -> ingestor(Format.AUTO).paths(List.of(one, two)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("would have the same ids ('a.txt')");
    assertThat(sink.documents).isEmpty();
  }

  @Test
  void whatCannotBeReadBelowAFolderIsADeadLetterAndEverythingElseGoesOn() throws IOException {
    write("a.txt", "a");
    write("z/b.txt", "b");
    Files.createSymbolicLink(corpus.resolve("dangling.txt"), Path.of("nowhere"));
    Files.createSymbolicLink(corpus.resolve("loop"), corpus);
    Files.createSymbolicLink(corpus.resolve("null"), Path.of("/dev/null"));
    IngestReport report = ingestor(Format.AUTO).paths(List.of(corpus));

    assertThat(sink.texts()).containsExactly("a", "b");
    assertThat(sink.refusals())
        .containsExactly(
            "0: cannot be read: it is a link that leads to nothing, or was removed",
            "0: a link must not lead back to a folder above it",
            "0: cannot be read: it is neither a file nor a folder");
    assertThat(report.givenUp()).isEqualTo(3);
    Path odd = Files.createDirectory(directory.resolve("odd"));
    Files.createSymbolicLink(odd.resolve("dangling.txt"), Path.of("nowhere"));
    IngestSettings settings = IngestSettings.of("java");
    IngestReport ranges =
        new RangeIngestor(settings, new TestingSink(), CLOCK, bytes -> {})
            .files(SourceFiles.local(List.of(odd), false));
    assertThat(ranges.givenUp()).isEqualTo(1);
    Path special = corpus.resolve("null");
    assertRefused(special).hasMessage("PATH must be a file or folder that can be read: " + special);
    Path dangling = corpus.resolve("dangling.txt");
    assertRefused(dangling).hasMessage("PATH must exist: " + dangling);
  }

  @Test
  void textAndIdAreInTheFieldsThatAreNamed() throws IOException {
    Path file =
        write(
            "a.jsonl",
            """
        {"body": "first", "key": "k1", "text": "not this", "id": "nor this"}
        {"text": "no body"}
        {"body": "third", "key": []}
        """);
    IngestSettings settings =
        new IngestSettings(
            "java", Format.AUTO, 1 << 20, new Fields("body", "key"), Optional.empty());
    new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(file));

    assertThat(sink.texts()).containsExactly("first");
    assertThat(sink.ids()).containsExactly("k1");
    assertThat(sink.refusals())
        .containsExactly(
            "2: 'body' must be a string: found nothing",
            "3: 'key' must be a text or a whole number: found array");
  }

  @Test
  void promptsAndSpansSayWhatOfALineCounts() throws IOException {
    Path file =
        write(
            "chat.jsonl",
            """
        {"prompt": "\uD83D\uDE00: ", "text": "yes"}
        {"prompt": "Q ", "text": "one two", "spans": [[0, 3], [4, 7]]}
        {"text": "no prompt"}
        {"prompt": "", "text": "all"}
        {"prompt": "Q", "text": ""}
        {"prompt": "Q", "text": "a", "spans": [[0, 2]]}
        {"prompt": "Q", "text": "a", "spans": [0, 1]}
        {"prompt": "Q", "text": "a", "spans": 1}
        {"prompt": "Q", "text": "a", "spans": [[0, 0.5]]}
        """);
    Fields fields = new Fields("text", "id", Optional.of("prompt"), Optional.of("spans"));
    IngestSettings settings =
        new IngestSettings("java", Format.JSONL, 1 << 20, fields, Optional.empty());
    new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(file));

    assertThat(sink.texts()).containsExactly("\uD83D\uDE00: yes", "Q one two", "all", "Q");
    assertThat(sink.documents)
        .extracting(Document::getTrained)
        .containsExactly(List.of(3, 6), List.of(2, 5, 6, 9), List.of(0, 3), List.of());
    assertThat(sink.refusals())
        .containsExactly(
            "3: 'prompt' must be a string: found nothing",
            "6: 'spans': trained[1] must lie in the text, after the span's start: found 2",
            "7: 'spans' must be a list of [start, end] in characters: found number",
            "8: 'spans' must be a list of [start, end] in characters: found number",
            "9: 'spans' must be a list of [start, end] in characters: found number");
  }

  @Test
  void fieldsThatWereAskedForAreKeptAsProperties() throws IOException {
    Path file = corpus.resolve("a.jsonl");
    Files.writeString(
        file,
        """
        {"text": "a", "source": "forum x", "score": 0.250, "kept": true, "other": 1}
        {"text": "b", "source": null}
        {"text": "c", "source": ["x"]}
        {"text": "d", "source": "%s"}
        """
            .formatted("x".repeat(4097)));
    Fields fields =
        new Fields(
            "text", "id", Optional.empty(), Optional.empty(), List.of("source", "score", "kept"));
    IngestSettings settings =
        new IngestSettings("java", Format.JSONL, 1 << 20, fields, Optional.empty());
    new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(file));

    assertThat(sink.documents)
        .extracting(Document::getProperties)
        .containsExactly(Map.of("source", "forum x", "score", "0.25", "kept", "true"), Map.of());
    assertThat(sink.refusals())
        .containsExactly(
            "3: 'source' must be a text, a number, true or false: found array",
            "4: 'source' must be Unicode of at most 4096 bytes");
    assertThat(fields.places())
        .isEqualTo(", text in 'text', id in 'id', properties in 'source', 'score', 'kept'");
  }

  @Test
  void rowsOfParquetAreDocumentsAndNullsAndBadUtf8AreRefusedWithTheirRow() throws IOException {
    Path file = parquet("c.parquet", "zstd");
    List<Long> progress = new ArrayList<>();
    IngestSettings settings = new IngestSettings("java", Format.AUTO, 2999);
    IngestReport report = new Ingestor(settings, sink, CLOCK, progress::add).paths(List.of(corpus));

    assertThat(sink.texts()).containsExactly("first", "zwölf Boxkämpfer", "fünf", "same", "same");
    assertThat(sink.ids()).containsExactly("1", "3", "6", "corpus/c.parquet:7", "8");
    assertThat(sink.documents.get(2).getLine()).isEqualTo(6);
    assertThat(sink.refusals())
        .containsExactly("2: 'text' is null", "5: document has 3000 bytes; the limit is 2999");
    assertThat(report.skippedEmpty()).isEqualTo(1);
    assertThat(progress.stream().mapToLong(bytes -> bytes).sum()).isEqualTo(Files.size(file));

    sink.deadLetters.clear();
    Fields raw = new Fields("raw", "name");
    settings = new IngestSettings("java", Format.AUTO, 9, raw, Optional.empty());
    new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(corpus));
    assertThat(sink.refusals()).hasSize(4).contains("2: not UTF-8 at byte 0");
  }

  @Test
  void documentsThatNameTheirDomainAreTakenByItAndOneTellsWhatIsNobodys() throws IOException {
    parquet("c.parquet", "zstd");
    write(
        "d.jsonl",
        "{\"text\":\"a\",\"name\":\"n0\"}\n{\"text\":\"b\",\"name\":\"code\"}\nbroken\n"
            + "{\"text\":\"c\"}\n{\"text\":1,\"name\":\"code\"}\n"
            + "{\"text\":\"d\",\"name\":\"code\",\"id\":\"%s\"}\n".formatted("i".repeat(1025)));
    IngestReport code = ofDomain("code", "wiki");
    assertThat(sink.texts()).containsExactly("zwölf Boxkämpfer", "b");
    assertThat(sink.refusals())
        .hasSize(2)
        .contains("5: 'text' must be a string: found number")
        .last(InstanceOfAssertFactories.STRING)
        .startsWith("6: document id must");
    sink.documents.clear();
    sink.deadLetters.clear();
    IngestReport wiki = ofDomain("wiki", "wiki");
    assertThat(List.of(code, wiki))
        .allSatisfy(
            report ->
                assertThat(report.documents() + report.deadLetters() + report.ofOthers())
                    .isEqualTo(PARQUET_ROWS + 6));
    assertThat(sink.texts()).containsExactly("first", "a");
    assertThat(sink.refusals())
        .contains("2: 'name' must name one of wiki, code: found 'n1'")
        .contains("4: 'name' must be a string: found nothing")
        .anyMatch(refusal -> refusal.startsWith("3: not JSON"))
        .noneMatch(refusal -> refusal.startsWith("5: 'text'"));
    List<String> nobodys = sink.refusals();
    sink.deadLetters.clear();
    ofDomain("wiki", "code");
    assertThat(sink.refusals()).isEmpty();
    ofDomain("code", "code");
    assertThat(sink.refusals()).hasSize(nobodys.size() + 2).containsAll(nobodys);
  }

  private IngestReport ofDomain(String domain, String teller) {
    DomainField field =
        new DomainField(
            "name", Map.of("n0", "wiki", "n2", "code"), List.of("wiki", "code"), domain, teller);
    Fields fields =
        new Fields("text", "id", Optional.empty(), Optional.empty(), List.of(), Optional.of(field));
    IngestSettings settings =
        new IngestSettings(domain, Format.AUTO, 2999, fields, Optional.empty());
    return new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(corpus));
  }

  @Test
  void aParquetFileWithoutSuchAColumnIsGivenUpAndOthersGoOn() throws IOException {
    parquet("a.parquet", "snappy");
    write("b.parquet", "prose");
    write("c.txt", "text");
    Fields fields = new Fields("body", "id");
    IngestSettings settings =
        new IngestSettings("java", Format.AUTO, 1 << 20, fields, Optional.empty());
    IngestReport report = new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(corpus));

    assertThat(sink.texts()).containsExactly("text");
    assertThat(report.givenUp()).isEqualTo(2);
    assertThat(report.deadLetters()).isEqualTo(2);
    assertThat(sink.refusals().get(0))
        .isEqualTo("0: 'body' must be a column of texts: found nothing");
    assertThat(sink.refusals().get(1)).startsWith("0: cannot be read to its end: not Parquet");
  }

  @Test
  void whatGitignoreFilesSayIsLeftOutAsGitDoes() throws IOException {
    write(".gitignore", "target/\n*.log\n!kept.log\n/top.txt\n[broken\n");
    write("a.txt", "a");
    write("top.txt", "left out");
    write("run.log", "left out");
    write("target/x.txt", "left out");
    write("sub/.gitignore", "*.txt\n!b.txt\nkept.log\n");
    write("sub/b.txt", "b");
    write("sub/c.txt", "left out");
    write("sub/top.md", "top");
    write("sub/kept.log", "left out");
    write("sub/target/deep/y.md", "left out");
    write("kept.log", "kept");
    IngestSettings settings =
        new IngestSettings(
            "java",
            Format.AUTO,
            1 << 20,
            Fields.STANDARD,
            true,
            Optional.empty(),
            Optional.empty());
    Ingestor ingestor = new Ingestor(settings, sink, CLOCK, bytes -> {});
    IngestReport report = ingestor.paths(List.of(corpus));

    assertThat(sink.texts()).containsExactly("a", "kept", "b", "top");
    assertThat(report.skippedIgnored()).isEqualTo(6);
    assertThat(SourceFiles.local(List.of(corpus), true).bytes()).isEqualTo(9);

    sink.documents.clear();
    ingestor.paths(List.of(corpus.resolve("run.log")));
    assertThat(sink.texts()).containsExactly("left out");
    sink.documents.clear();
    assertThat(ingest(corpus).documents()).isEqualTo(10);
  }

  @Test
  void parquetIsNotReadFromAStream() {
    assertThatThrownBy(() -> ingestor(Format.PARQUET).stream(new ByteArrayInputStream(new byte[0])))
        .isInstanceOf(BadInputException.class)
        .hasMessage("PATH must be files for --format parquet, not '-'");
  }

  @Test
  void aPageIsItsMainContentIfTheFormatSaysSo() throws IOException {
    write("a.html", "<nav>Home</nav><main><p>One<p>two</main>");
    write("b.html", "<script>nothing</script>");
    Files.write(corpus.resolve("c.html"), new byte[] {'<', 'p', '>', -1});
    IngestSettings settings = new IngestSettings("java", Format.HTML, 1 << 20);
    IngestReport report = new Ingestor(settings, sink, CLOCK, bytes -> {}).paths(List.of(corpus));

    assertThat(sink.texts()).containsExactly("One\n\ntwo");
    assertThat(sink.refusals()).containsExactly("0: not UTF-8 at byte 3, and no charset is named");
    assertThat(report.bytes()).isEqualTo(8);
    assertThat(report.skippedEmpty()).isEqualTo(1);
  }

  private Path parquet(String name, String sample) throws IOException {
    Path samples = Path.of("../../flink-jobs/corpus/src/test/resources/parquet");
    return Files.copy(samples.resolve(sample + ".parquet"), corpus.resolve(name));
  }

  private IngestReport ingest(Path path) {
    return ingestor(Format.AUTO).paths(List.of(path));
  }

  private Ingestor ingestor(Format format) {
    IngestSettings settings = new IngestSettings("java", format, IngestSettings.DEFAULT_DOCUMENT);
    return new Ingestor(settings, sink, CLOCK, bytes -> {});
  }

  private AbstractThrowableAssert<?, ?> assertRefused(Path path) {
    return assertThatThrownBy(() -> ingest(path)).isInstanceOf(BadInputException.class);
  }

  private Path write(String name, String text) throws IOException {
    Path file = corpus.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }
}
