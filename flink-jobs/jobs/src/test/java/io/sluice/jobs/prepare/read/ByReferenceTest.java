package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.DocumentSink;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.document.Ingestor;
import io.sluice.corpus.document.RangeIngestor;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.range.FileRange;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.record.DomainEventSerializer;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is ingested by reference comes to what is ingested by copy, whatever is in the files. */
class ByReferenceTest {
  private static final DatasetSpec SPEC = TestingDatasets.dataset(8, 1, 0.1);
  private static final Path SAMPLES = Path.of("../corpus/src/test/resources");
  private static final int LARGEST = 200_000;

  @TempDir Path directory;
  private Path texts;

  /** What an ingest wrote. */
  private static final class Written implements DocumentSink {
    private final List<SpecificRecordBase> corpus = new ArrayList<>();
    private final List<DeadLetter> letters = new ArrayList<>();

    @Override
    public void document(Document document, byte[] encoded) {
      corpus.add(document);
    }

    @Override
    public void tokens(TokenDocument document) {
      corpus.add(document);
    }

    @Override
    public void ranges(List<FileRange> ranges) {
      ranges.forEach(range -> corpus.add(range.said()));
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      letters.add(letter);
    }
  }

  /** What a job made of that: documents, and what was refused by anybody. */
  private record Read(List<String> documents, List<String> refused, List<DomainEvent> events) {}

  @BeforeEach
  void write() throws IOException {
    texts = Files.createDirectory(directory.resolve("texts"));
    Files.write(texts.resolve("a.jsonl"), lines(1));
    Files.write(texts.resolve("b.jsonl.gz"), gzip(lines(2)));
    Files.write(texts.resolve("c.ndjson.zst"), Zstd.compress(lines(3)));
    Files.write(
        texts.resolve("hopeless.jsonl"), "no\n".repeat(200).getBytes(StandardCharsets.UTF_8));
    Files.write(texts.resolve("short.jsonl"), "no\n\n".repeat(20).getBytes(StandardCharsets.UTF_8));
    Files.writeString(texts.resolve("d.txt"), "a text of several lines\nand another\n");
    Files.write(texts.resolve("d.txt.gz"), gzip("packed".getBytes(StandardCharsets.UTF_8)));
    Files.write(texts.resolve("latin.txt"), new byte[] {'a', (byte) 0xE9, 'b'});
    Files.write(texts.resolve("binary"), new byte[] {1, 0, 1});
    Files.writeString(texts.resolve("blank.txt"), " \n");
    Files.writeString(texts.resolve("large.txt"), "x".repeat(LARGEST + 1));
    Files.write(texts.resolve("torn.jsonl.gz"), half(gzip(lines(4))));
    for (String name : List.of("zstd", "snappy", "lz4", "pages-v2")) {
      Files.copy(SAMPLES.resolve("parquet/" + name + ".parquet"), texts.resolve(name + ".parquet"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void documentsIdsAndRefusalsAreThoseOfAnIngestByCopy(int threads) throws Exception {
    IngestSettings settings = new IngestSettings("java", Format.AUTO, LARGEST);
    Read copied = copied(settings, texts, threads);
    assertThat(copied.documents()).hasSizeGreaterThan(5_000);
    assertThat(copied.refused()).hasSizeGreaterThan(300);
    assertEqual(referred(settings, texts, threads), copied);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LINES", "HTML", "TEXT"})
  void filesMayBeReadOtherwiseThanTheyAreNamed(Format format) throws Exception {
    Files.writeString(
        texts.resolve("page.html"), "<html><body><p>A page with a text.</p></body></html>");
    IngestSettings settings = new IngestSettings("java", format, LARGEST);
    Read copied = copied(settings, texts, 2);
    assertThat(copied.documents()).isNotEmpty();
    assertEqual(referred(settings, texts, 2), copied);
  }

  @Test
  void fieldsArePartOfTheReading() throws Exception {
    Path file = texts.resolve("fields.jsonl");
    Files.writeString(
        file,
        "{\"q\": \"2+2\", \"a\": \"4 or more\", \"spans\": [[0, 1]], \"key\": \"k\"}\n"
            + "{\"q\": \"2\", \"a\": \"4\", \"spans\": [[0, 9]]}\n");
    Fields fields = new Fields("a", "key", Optional.of("q"), Optional.of("spans"));
    IngestSettings settings =
        new IngestSettings("java", Format.JSONL, LARGEST, fields, Optional.empty());
    Read copied = copied(settings, file, 1);
    assertThat(copied.documents()).hasSize(1);
    assertEqual(referred(settings, file, 1), copied);
  }

  @Test
  void filesOfTokenIdsAreReadInPlaceToo() throws Exception {
    Path tokens = SAMPLES.resolve("tokens").toAbsolutePath().normalize();
    try (Tokenizer tokenizer =
        DatasetSpecs.tokenizer(SPEC, TokenizerStore.of(KafkaAccess.local("unused:9092")))) {
      TokenLayout layout =
          new TokenLayout(
              TokenType.INT64,
              Optional.empty(),
              "id",
              tokenizer.vocabulary().endOfDocument(),
              1000);
      int width = tokenizer.vocabulary().tokenWidth();
      IngestSettings settings =
          new IngestSettings(
              "java",
              Format.TOKENS,
              1000,
              Fields.STANDARD,
              false,
              Optional.empty(),
              Optional.of(
                  new TokenSource(
                      tokenizer.identity(),
                      new TokenIds(tokenizer.vocabulary().size(), width),
                      layout)));
      Read copied = copied(settings, tokens, 2);
      assertThat(copied.documents()).hasSizeGreaterThan(20);
      assertThat(copied.refused()).hasSizeGreaterThan(10);
      assertEqual(referred(settings, tokens, 2), copied);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void aRangeWhoseFileIsGoneIsRefusedAndEverythingElseGoesOn(int threads) throws Exception {
    IngestSettings settings = new IngestSettings("java", Format.AUTO, LARGEST);
    Written written = new Written();
    refer(settings, texts, written);
    List<String> before = read(written, threads, List.of()).documents();
    Files.delete(texts.resolve("b.jsonl.gz"));
    Read after = read(written, threads, List.of());
    List<RangeRefused> lost =
        after.events().stream()
            .filter(RangeRefused.class::isInstance)
            .map(RangeRefused.class::cast)
            .toList();
    assertThat(lost).hasSizeGreaterThan(1);
    assertThat(lost).allSatisfy(each -> assertThat(each.reason()).endsWith(" is missing"));
    assertThat(lost.stream().mapToInt(RangeRefused::records).sum()).isEqualTo(2_000);
    assertThat(after.documents())
        .isEqualTo(
            before.stream()
                .filter(id -> !id.startsWith("texts/b.") && !id.startsWith("own 2-"))
                .toList());

    Files.write(texts.resolve("b.jsonl.gz"), gzip(lines(2)));
    List<Long> refused = lost.stream().map(RangeRefused::offset).toList();
    Read again = read(written, threads, refused);
    assertThat(again.documents()).isEqualTo(after.documents());
    assertThat(again.events().stream().filter(RangeRefused.class::isInstance))
        .hasSameSizeAs(lost)
        .allSatisfy(
            each ->
                assertThat(((RangeRefused) each).reason())
                    .endsWith(" was refused when it was read first"));
  }

  @Test
  void documentsAreToldWithoutTokensUnlessNobodyCanSayWhichTheyAre() throws Exception {
    IngestSettings settings = new IngestSettings("java", Format.AUTO, LARGEST);
    Written copied = new Written();
    new Ingestor(settings, copied, InstantSource.fixed(Instant.EPOCH), bytes -> {}, 2)
        .paths(List.of(texts));
    Written referred = new Written();
    refer(settings, texts, referred);
    List<String> ids = copied.corpus.stream().map(each -> ((Document) each).getId()).toList();
    assertThat(told(referred, List.of())).isEqualTo(ids);

    Files.delete(texts.resolve("b.jsonl.gz"));
    assertThatThrownBy(() -> told(referred, List.of()))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("the documents of a range of 'java' cannot be told, and may be in")
        .hasMessageEndingWith(" is missing");
    List<Long> lost =
        LongStream.range(0, referred.corpus.size())
            .filter(i -> location(referred, i).endsWith("b.jsonl.gz"))
            .boxed()
            .toList();
    assertThat(told(referred, lost))
        .isEqualTo(
            ids.stream()
                .filter(id -> !id.startsWith("texts/b.") && !id.startsWith("own 2-"))
                .toList());
  }

  private static String location(Written written, long offset) {
    return ((DocumentRange) written.corpus.get((int) offset)).getLocation();
  }

  private List<String> told(Written written, List<Long> refused) throws IOException {
    KafkaAccess unused = KafkaAccess.local("unused:9092");
    SourceRoots roots = SourceRoots.of(List.of(directory));
    List<String> ids = new ArrayList<>();
    try (Tokenizer tokenizer = DatasetSpecs.tokenizer(SPEC, TokenizerStore.of(unused));
        ReferredDocuments referred =
            new ReferredDocuments(
                new CorpusSources(roots, new TestingDecisions(refused))
                    .open(unused, SPEC, tokenizer))) {
      for (int offset = 0; offset < written.corpus.size(); offset++) {
        DocumentRange range = (DocumentRange) written.corpus.get(offset);
        referred.read("java", offset, range, found -> ids.add(((Document) found).getId()));
      }
    }
    return ids;
  }

  @Test
  void aRangeThatSaysWhatCannotBeIsRefusedByItself() throws Exception {
    Written written = new Written();
    refer(new IngestSettings("java", Format.JSONL, LARGEST), texts.resolve("a.jsonl"), written);
    DocumentRange good = (DocumentRange) written.corpus.get(0);
    List<DocumentRange> bad =
        List.of(
            DocumentRange.newBuilder(good).setRecords(0).build(),
            DocumentRange.newBuilder(good).setRecords(Integer.MAX_VALUE).build(),
            DocumentRange.newBuilder(good).setFirst(0).build(),
            DocumentRange.newBuilder(good).setFirst(Long.MIN_VALUE).build(),
            DocumentRange.newBuilder(good).setBegin(-1).build(),
            DocumentRange.newBuilder(good).setBegin(Long.MAX_VALUE).build(),
            DocumentRange.newBuilder(good).setBytes(1L << 40).build(),
            DocumentRange.newBuilder(good).setBytes(-1).build(),
            DocumentRange.newBuilder(good).setFileBytes(5).build(),
            DocumentRange.newBuilder(good).setMaxDocument(Integer.MAX_VALUE).build(),
            DocumentRange.newBuilder(good).setMaxDocument(0).build(),
            DocumentRange.newBuilder(good).setFormat("auto").build(),
            DocumentRange.newBuilder(good).setFormat("tokens").build(),
            DocumentRange.newBuilder(good).setTokenizer("gpt").build(),
            DocumentRange.newBuilder(good).setFormat("text").build(),
            DocumentRange.newBuilder(good).setLocation("").build(),
            DocumentRange.newBuilder(good).setLocation("x".repeat(5000)).build(),
            DocumentRange.newBuilder(good).setSource("x".repeat(5000)).build(),
            DocumentRange.newBuilder(good).setHash(java.nio.ByteBuffer.allocate(31)).build());
    Written spoilt = new Written();
    spoilt.corpus.addAll(bad);
    spoilt.corpus.add(good);
    Read found = read(spoilt, 2, List.of());
    assertThat(found.events().subList(0, bad.size())).containsOnly(new DocumentRefused("java"));
    assertThat(found.refused().subList(0, bad.size()))
        .allSatisfy(reason -> assertThat(reason).contains(": DocumentRange: "));
    assertThat(found.documents()).isNotEmpty();

    Read others = read(foreign(good), 2, List.of());
    assertThat(others.events()).hasSize(4).hasOnlyElementsOfType(RangeRefused.class);
  }

  /** Ranges of files that may not be read, or are none. */
  private static Written foreign(DocumentRange good) {
    Written written = new Written();
    for (String location : List.of("/etc/passwd", "/dev/zero", "relative", "/nul\0")) {
      written.corpus.add(DocumentRange.newBuilder(good).setLocation(location).build());
    }
    return written;
  }

  private static void assertEqual(Read referred, Read copied) {
    assertThat(referred.documents()).isEqualTo(copied.documents());
    assertThat(referred.refused()).containsExactlyInAnyOrderElementsOf(copied.refused());
  }

  private Read copied(IngestSettings settings, Path path, int threads) throws Exception {
    Written written = new Written();
    new Ingestor(settings, written, InstantSource.fixed(Instant.EPOCH), bytes -> {}, 2)
        .paths(List.of(path));
    return read(written, threads, List.of());
  }

  private Read referred(IngestSettings settings, Path path, int threads) throws Exception {
    Written written = new Written();
    IngestReport report = refer(settings, path, written);
    assertThat(written.corpus)
        .hasSize((int) report.ranges())
        .isNotEmpty()
        .hasOnlyElementsOfType(DocumentRange.class);
    return read(written, threads, List.of());
  }

  private static IngestReport refer(IngestSettings settings, Path path, Written written) {
    return new RangeIngestor(settings, written, InstantSource.fixed(Instant.EPOCH), bytes -> {})
        .files(SourceFiles.local(List.of(path), false));
  }

  private Read read(Written written, int threads, List<Long> refused) throws Exception {
    SourceRoots roots = SourceRoots.of(List.of(directory, SAMPLES));
    try (OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ReadCorpusFactory(
                SPEC,
                KafkaAccess.local("unused:9092"),
                new CorpusSources(roots, new TestingDecisions(refused)),
                () -> 42,
                threads))) {
      harness.setup(DomainEventSerializer.INSTANCE);
      harness.open();
      long offset = 0;
      for (SpecificRecordBase each : written.corpus) {
        harness.processElement(
            new CorpusRecord("sluice.corpus.java", 0, offset++, WireCodec.encode(each)), 0);
      }
      harness.endInput();
      List<DomainEvent> events = harness.extractOutputValues();
      return new Read(
          events.stream()
              .filter(TokenizedDocument.class::isInstance)
              .map(TokenizedDocument.class::cast)
              .map(ByReferenceTest::shown)
              .toList(),
          Stream.concat(
                  written.letters.stream(),
                  Optional.ofNullable(harness.getSideOutput(ReadCorpus.DEAD_LETTERS)).stream()
                      .flatMap(letters -> letters.stream())
                      .map(StreamRecord::getValue)
                      .map(letter -> WireCodec.decode(DeadLetter.class, letter.value())))
              .map(ByReferenceTest::shown)
              .toList(),
          events);
    }
  }

  private static String shown(TokenizedDocument document) {
    return document.id()
        + " "
        + document.heldOut()
        + " "
        + document.deciding()
        + " "
        + Arrays.hashCode(document.tokens())
        + " "
        + Arrays.toString(document.counted());
  }

  private static String shown(DeadLetter letter) {
    return letter.getOrigin()
        + ":"
        + letter.getPosition()
        + " "
        + letter.getPayload().hashCode()
        + ": "
        + letter.getReason();
  }

  /** 2,000 lines, of which many are no documents. */
  private static byte[] lines(int seed) throws IOException {
    Random random = new Random(seed);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int line = 0; line < 2_000; line++) {
      String text = (seed + " word ").repeat(1 + random.nextInt(200));
      String json =
          switch (random.nextInt(20)) {
            case 0 -> "";
            case 1 -> "{\"text\": ";
            case 2 -> "{\"id\": 7}";
            case 3 -> "{\"text\": \" \"}";
            case 4, 5 -> "{\"id\": \"own " + seed + "-" + line + "\", \"text\": \"" + text + "\"}";
            case 6 -> "{\"id\": \"" + "x".repeat(5_000) + "\", \"text\": \"" + text + "\"}";
            default -> "{\"text\": \"" + text + "\"}";
          };
      out.write((line == 1_500 ? "x".repeat(2 * LARGEST) : json).getBytes(StandardCharsets.UTF_8));
      if (line % 500 == 9) {
        out.write(0xFF);
      }
      out.write((line % 3 == 0 ? "\r\n" : "\n").getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  private static byte[] half(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length / 2);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
