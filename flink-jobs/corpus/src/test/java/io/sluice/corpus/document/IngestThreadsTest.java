package io.sluice.corpus.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFile;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.WireCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IngestThreadsTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(42));
  private static final int LARGEST = 60_000;

  @TempDir Path directory;

  @BeforeEach
  void filesOfEveryKind() throws IOException {
    Random random = new Random(1);
    write("a.jsonl", jsonl(random, 3000));
    write("b.txt", "a text".getBytes(UTF_8));
    write("c.txt", new byte[] {(byte) 0xFF});
    write("d.bin", new byte[] {1, 0});
    write("e.jsonl", "prose\n".repeat(500).getBytes(UTF_8));
    write("f.txt", new byte[LARGEST + 1]);
    write("g.jsonl.gz", cut(jsonl(random, 2000)));
    Files.copy(
        Path.of("../../flink-jobs/corpus/src/test/resources/parquet/zstd.parquet"),
        directory.resolve("h.parquet"));
    for (int i = 0; i < 100; i++) {
      write("i" + i + ".txt", ("text " + i).repeat(random.nextInt(100)).getBytes(UTF_8));
    }
    write("z.jsonl", jsonl(random, 10));
  }

  @Test
  void whatIsWrittenAndSaidIsTheSameForAnyNumberOfThreads() {
    Recording one = ingested(1);
    assertThat(one.written)
        .filteredOn(what -> what.startsWith("document "))
        .hasSizeGreaterThan(3000);
    assertThat(one.written).filteredOn(what -> what.startsWith("letter ")).hasSizeGreaterThan(100);
    assertThat(one.report.givenUp()).isEqualTo(2);
    for (int threads : new int[] {2, 8}) {
      Recording more = ingested(threads);
      assertThat(more.written).isEqualTo(one.written);
      assertThat(more.report).isEqualTo(one.report);
    }
  }

  @Test
  void whatWasThereBeforeIsPassedOverAndWhatChangedIsRefused() throws IOException {
    Recording first = ingested(4);
    Recording again = new Recording(first);
    again.ingest(4);
    assertThat(again.written).filteredOn(what -> what.startsWith("document ")).isEmpty();
    assertThat(again.report.known()).isGreaterThan(first.report.documents());

    byte[] changed = Files.readAllBytes(directory.resolve("z.jsonl"));
    changed[3] ^= 1;
    write("z.jsonl", changed);
    Recording refused = new Recording(first);
    refused.ingest(4);
    assertThat(refused.report.givenUp()).isEqualTo(again.report.givenUp() + 1);
    assertThat(refused.written.get(refused.written.size() - 1))
        .contains("z.jsonl", "was changed since it was ingested");
  }

  @Test
  void aLineOfALiveStreamDoesNotWaitForTheNext() throws Exception {
    BlockingQueue<String> texts = new ArrayBlockingQueue<>(10);
    DocumentSink sink =
        new DocumentSink() {
          @Override
          public void document(Document document, byte[] encoded) {
            texts.add(document.getText());
          }

          @Override
          public void deadLetter(DeadLetter letter) {
            texts.add(letter.getReason());
          }
        };
    IngestSettings settings = new IngestSettings("web", Format.LINES, 100);
    try (PipedOutputStream out = new PipedOutputStream();
        InputStream in = new PipedInputStream(out)) {
      Thread ingest =
          new Thread(() -> new Ingestor(settings, sink, CLOCK, bytes -> {}, 2).stream(in));
      ingest.start();
      for (String line : List.of("one", "two", "three")) {
        out.write((line + "\n").getBytes(UTF_8));
        out.flush();
        assertThat(texts.poll(1, TimeUnit.MINUTES)).isEqualTo(line);
      }
      out.close();
      ingest.join();
    }
    assertThat(texts).isEmpty();
  }

  private Recording ingested(int threads) {
    Recording recording = new Recording(null);
    recording.ingest(threads);
    return recording;
  }

  /** All that a sink is told, in order, with how far each file was when it was told so. */
  private final class Recording implements DocumentSink {
    private final List<String> written = new ArrayList<>();
    private final Map<String, FilePassage> passages = new HashMap<>();
    private final Map<String, FilePassage> before;
    private final Set<FilePassage> used = new HashSet<>();
    private FilePassage current = FilePassage.fresh();
    private IngestReport report;

    Recording(Recording before) {
      this.before = new HashMap<>(before == null ? Map.of() : before.passages);
      this.before.values().removeIf(passage -> !before.used.contains(passage));
    }

    void ingest(int threads) {
      IngestSettings settings = new IngestSettings("web", Format.AUTO, LARGEST);
      report = new Ingestor(settings, this, CLOCK, bytes -> {}, threads).paths(List.of(directory));
    }

    @Override
    public boolean mayKnow(SourceFile source) {
      return before.containsKey(source.origin());
    }

    @Override
    public FilePassage file(SourceFile source) throws RefusedException {
      FilePassage known = before.get(source.origin());
      current =
          known == null
              ? FilePassage.fresh()
              : FilePassage.behind(known.records(), known.proven(), known.provenHash());
      passages.put(source.origin(), current);
      written.add("file " + source.id());
      return current;
    }

    @Override
    public void document(Document document, byte[] encoded) {
      assertThat(WireCodec.decode(encoded)).isEqualTo(document);
      used.add(current);
      written.add("document " + document.getId() + " " + Arrays.hashCode(encoded) + place());
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      written.add("letter " + letter.getOrigin() + letter.getReason() + place());
    }

    private String place() {
      return " " + current.records() + " " + HexFormat.of().formatHex(current.provenHash());
    }
  }

  private static byte[] jsonl(Random random, int lines) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int line = 0; line < lines; line++) {
      String text = "word ".repeat(random.nextInt(200));
      out.writeBytes(
          switch (random.nextInt(20)) {
            case 0 -> "{\"text\": \"cut".getBytes(UTF_8);
            case 1 -> new byte[] {'"', (byte) 0xC0};
            case 2 -> new byte[0];
            case 3 -> ("{\"text\": \"" + "x".repeat(LARGEST) + "\"}").getBytes(UTF_8);
            case 4 -> ("{\"id\": " + line + ", \"text\": \"" + text + "é\"}").getBytes(UTF_8);
            default -> ("{\"text\": \"" + text + line + "\"}").getBytes(UTF_8);
          });
      out.write('\n');
    }
    return out.toByteArray();
  }

  /** Compressed, and without the end. */
  private static byte[] cut(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zipped = new GZIPOutputStream(out)) {
      zipped.write(bytes);
    }
    return Arrays.copyOf(out.toByteArray(), out.size() * 2 / 3);
  }

  private void write(String name, byte[] bytes) throws IOException {
    Files.write(directory.resolve(name), bytes);
  }
}
