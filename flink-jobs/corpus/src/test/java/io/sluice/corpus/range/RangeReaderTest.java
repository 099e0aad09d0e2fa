package io.sluice.corpus.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.FileBytes;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.StoredFile;
import io.sluice.corpus.record.FileRecord;
import io.sluice.corpus.record.RecordCursor;
import io.sluice.corpus.record.RecordDigest;
import io.sluice.corpus.record.RecordReading;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeReaderTest {
  private static final int LARGEST = 50_000;
  private static final Pauses NONE = failed -> false;
  private static final TokenSource TOKENS =
      new TokenSource(
          "gpt",
          new TokenIds(50_257, 2),
          new TokenLayout(TokenType.INT64, Optional.empty(), "id", 50_256, 1000));

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text.jsonl",
        "text.jsonl.gz",
        "text.jsonl.zst",
        "parquet/zstd.parquet",
        "parquet/pages-v2.parquet",
        "tokens/megatron-u2.idx",
        "tokens/flat-u2.npy",
        "tokens/rows-u4.npy",
        "tokens/arrays.mds",
        "tokens/bytes-i8.mds.gz",
        "tokens/lists-i4.parquet"
      })
  void everyRangeIsReadWhateverWasReadBefore(String name) throws Exception {
    Path file = file(name);
    RecordReading reading = reading(name);
    List<String> all = new ArrayList<>();
    for (int records : new int[] {1, 2, 3, 1000}) {
      List<FileRange> ranges = ranges(file, reading, records, all);
      List<FileRange> mixed = new ArrayList<>(ranges);
      Collections.shuffle(mixed, new Random(records));
      try (RangeReader inOrder = reader();
          RangeReader anyOrder = reader()) {
        List<String> found = new ArrayList<>();
        for (FileRange range : ranges) {
          found.addAll(shown(inOrder.begin(range).call()));
        }
        assertThat(found).as("%d records", records).isEqualTo(all).hasSizeGreaterThan(1);
        for (FileRange range : mixed) {
          int first = (int) range.passed();
          assertThat(shown(anyOrder.begin(range).call()))
              .isEqualTo(all.subList(first, first + range.records()));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void severalThreadsReadOneCompressedFile(int threads) throws Exception {
    Path file = file("text.jsonl.gz");
    List<String> all = new ArrayList<>();
    List<FileRange> ranges = ranges(file, reading("text.jsonl.gz"), 3, all);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (RangeReader reader = reader()) {
      List<Future<List<FileRecord>>> readings = new ArrayList<>();
      for (FileRange range : ranges) {
        readings.add(pool.submit(reader.begin(range)));
      }
      List<String> found = new ArrayList<>();
      for (Future<List<FileRecord>> each : readings) {
        found.addAll(shown(each.get()));
      }
      assertThat(found).isEqualTo(all);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void whatIsNotWhatItWasIsRefusedWithFilePlaceAndReason() throws Exception {
    Path file = file("text.jsonl");
    RecordReading reading = reading("text.jsonl");
    List<FileRange> ranges = ranges(file, reading, 100, new ArrayList<>());
    byte[] before = Files.readAllBytes(file);

    byte[] changed = before.clone();
    changed[(int) ranges.get(1).begin() + 3]++;
    Files.write(file, changed);
    assertThat(read(ranges.get(0))).hasSize(100);
    assertThatThrownBy(() -> read(ranges.get(1)))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            file + ":101 to 200 is not what it was when it was ingested: these records are others");

    Files.write(file, java.util.Arrays.copyOf(before, 100));
    assertThatThrownBy(() -> read(ranges.get(0)))
        .hasMessage(
            file + ":1 to 100 is not what it was: it has 100 bytes, and had " + before.length);

    Files.delete(file);
    assertThatThrownBy(() -> read(ranges.get(0))).hasMessage(file + ":1 to 100 is missing");

    Files.createDirectory(file);
    assertThatThrownBy(() -> read(ranges.get(0))).hasMessage(file + ":1 to 100 is no file");
  }

  @Test
  void aFileThatGrewHoldsWhatItHeld() throws Exception {
    Path file = Files.writeString(directory.resolve("a.lines"), "one\ntwo");
    RecordReading lines = new RecordReading(Format.LINES, Fields.STANDARD, 100, Optional.empty());
    FileRange range = ranges(file, lines, 2, new ArrayList<>()).get(0);
    Files.writeString(file, "one\ntwo and more\nthree\n");
    assertThat(read(range)).hasSize(2);

    Path gz = directory.resolve("a.gz");
    byte[] first = gzip("one\ntwo".getBytes(StandardCharsets.UTF_8));
    Files.write(gz, first);
    List<FileRange> before = ranges(gz, lines, 1, new ArrayList<>());
    try (RangeReader reader = reader()) {
      assertThat(reader.begin(before.get(0)).call()).hasSize(1);
      assertThat(reader.begin(before.get(1)).call()).hasSize(1);
      ByteArrayOutputStream grown = new ByteArrayOutputStream();
      grown.write(first);
      grown.write(gzip("\nthree\nfour\n".getBytes(StandardCharsets.UTF_8)));
      Files.write(gz, grown.toByteArray());
      List<FileRange> after = ranges(gz, lines, 1, new ArrayList<>());
      assertThat(shown(reader.begin(after.get(3)).call())).containsExactly("4: four");
    }
  }

  @Test
  void onlyFilesBelowTheRootsAreRead() throws Exception {
    Path inside = Files.createDirectory(directory.resolve("in"));
    Path outside = Files.writeString(directory.resolve("secret.txt"), "secret");
    Path link = Files.createSymbolicLink(inside.resolve("a.txt"), outside);
    RecordReading text = new RecordReading(Format.TEXT, Fields.STANDARD, 100, Optional.empty());
    SourceRoots roots = SourceRoots.of(List.of(inside));
    for (Path each : List.of(outside, link, inside.resolve("../secret.txt"))) {
      assertThatThrownBy(() -> roots.find(each.toString())).isInstanceOf(RefusedException.class);
    }
    assertThatThrownBy(() -> SourceRoots.NONE.find(outside.toString()))
        .hasMessageStartingWith("is below none of the folders that the service may read");
    assertThatThrownBy(() -> SourceRoots.ALL.find("/proc/self/environ"))
        .hasMessageStartingWith("is below none of the folders");
    assertThatThrownBy(() -> SourceRoots.ALL.find("a.txt"))
        .hasMessage("is not the absolute path of a file");
    assertThatThrownBy(() -> SourceRoots.ALL.find("/tmp/" + "x".repeat(300)))
        .hasMessage("is not the absolute path of a file");
    assertThatThrownBy(() -> SourceRoots.ALL.find(outside + "/a")).hasMessage("is missing");

    Path named = Files.createSymbolicLink(inside.resolve("b.txt"), inside.resolve("blob"));
    Files.writeString(inside.resolve("blob"), "text");
    FileRange range = ranges(named, text, 1, new ArrayList<>()).get(0);
    try (RangeReader reader = new RangeReader(roots, NONE)) {
      assertThat(shown(reader.begin(range).call())).containsExactly("1: text");
    }
  }

  @Test
  void whatMayPassIsTriedAgainAndIsNoVerdict() throws Exception {
    for (String name : List.of("text.jsonl", "text.jsonl.gz", "parquet/zstd.parquet")) {
      Path file = file(name);
      FileRange range = ranges(file, reading(name), 2, new ArrayList<>()).get(0);
      Unsteady source = new Unsteady(3);
      try (RangeReader reader = new RangeReader(source, failed -> failed < 3)) {
        assertThat(reader.begin(range).call()).hasSize(2);
        assertThat(source.failures).isZero();
        source.failures = Integer.MAX_VALUE;
        FileRange next = ranges(file, reading(name), 1, new ArrayList<>()).get(0);
        assertThatThrownBy(() -> reader.begin(next).call())
            .isInstanceOf(SourceFailedException.class)
            .hasMessageContaining(file + ": the disk is gone");
      }
    }
  }

  @Test
  void aCompressedFileThatIsBrokenIsRefused() throws Exception {
    Path file = file("text.jsonl.gz");
    List<FileRange> ranges = ranges(file, reading("text.jsonl.gz"), 200, new ArrayList<>());
    byte[] bytes = Files.readAllBytes(file);
    for (int at = bytes.length / 2; at < bytes.length / 2 + 100; at++) {
      bytes[at] = 0;
    }
    Files.write(file, bytes);
    assertThat(read(ranges.get(0))).hasSize(200);
    assertThatThrownBy(() -> read(ranges.get(ranges.size() - 1)))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(file + ":");
  }

  /** Files that cannot be read for so many times. */
  private static final class Unsteady implements RangeSource {
    private int failures;

    Unsteady(int failures) {
      this.failures = failures;
    }

    @Override
    public StoredFile find(String location) throws IOException, RefusedException {
      StoredFile file = SourceRoots.ALL.find(location);
      return new StoredFile() {
        @Override
        public String origin() {
          return file.origin();
        }

        @Override
        public String location() {
          return file.location();
        }

        @Override
        public String name() {
          return file.name();
        }

        @Override
        public long bytes() {
          return file.bytes();
        }

        @Override
        public boolean mayGrow() {
          return file.mayGrow();
        }

        @Override
        public String version() {
          return file.version();
        }

        @Override
        public InputStream open(long from) throws IOException {
          fail();
          return file.open(from);
        }

        @Override
        public FileBytes bytesAnywhere() throws IOException {
          fail();
          return file.bytesAnywhere();
        }

        @Override
        public StoredFile beside(String name) throws IOException {
          return file.beside(name);
        }

        private void fail() throws IOException {
          if (failures > 0) {
            failures--;
            throw new SourceFailedException(location + ": the disk is gone", new IOException());
          }
        }
      };
    }
  }

  private RangeReader reader() {
    return new RangeReader(SourceRoots.ALL, NONE);
  }

  private List<FileRecord> read(FileRange range) throws Exception {
    try (RangeReader reader = reader()) {
      Callable<List<FileRecord>> reading = reader.begin(range);
      return reading.call();
    }
  }

  /** A file of the samples, or lines of all lengths. */
  private Path file(String name) throws IOException {
    if (name.contains("/")) {
      return Path.of("src/test/resources").resolve(name).toAbsolutePath();
    }
    StringBuilder text = new StringBuilder();
    Random random = new Random(7);
    for (int line = 0; line < 900; line++) {
      int length = line == 300 ? 2 * LARGEST : random.nextInt(300);
      for (int each = 0; each < length; each++) {
        text.append((char) ('a' + random.nextInt(26)));
      }
      text.append(line % 7 == 0 ? "\r\n" : "\n");
    }
    byte[] bytes = text.append("the last").toString().getBytes(StandardCharsets.UTF_8);
    byte[] stored =
        name.endsWith(".gz") ? gzip(bytes) : name.endsWith(".zst") ? Zstd.compress(bytes) : bytes;
    return Files.write(directory.resolve(name), stored);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static RecordReading reading(String name) {
    Format format =
        name.startsWith("tokens/")
            ? Format.TOKENS
            : name.startsWith("parquet/") ? Format.PARQUET : Format.JSONL;
    return new RecordReading(
        format,
        Fields.STANDARD,
        LARGEST,
        format == Format.TOKENS ? Optional.of(TOKENS) : Optional.empty());
  }

  /** Ranges of so many records each, and what these are. */
  private static List<FileRange> ranges(
      Path path, RecordReading reading, int most, List<String> all) throws Exception {
    StoredFile file = SourceRoots.ALL.find(path.toString());
    all.clear();
    List<FileRange> ranges = new ArrayList<>();
    try (RecordCursor cursor = RecordCursor.open(file, reading, bytes -> {})) {
      FileRecord next = cursor.next();
      while (next != null) {
        long passed = next.number() - 1;
        long begin = ranges.isEmpty() ? 0 : end(ranges.get(ranges.size() - 1), reading);
        RecordDigest digest = new RecordDigest();
        int records = 0;
        long bytes = 0;
        while (next != null && records < most) {
          next.addTo(digest);
          all.add(shown(next));
          bytes = reading.isLines() ? cursor.place() - begin : bytes + next.bytes();
          records++;
          next = records < most ? cursor.next() : null;
        }
        ranges.add(
            new FileRange(
                path.toString(),
                "source",
                reading,
                file.version(),
                file.bytes(),
                passed,
                records,
                begin,
                bytes,
                digest.hash()));
        next = records == most ? cursor.next() : null;
      }
    }
    return ranges;
  }

  private static long end(FileRange range, RecordReading reading) {
    return reading.isLines() ? range.begin() + range.bytes() : 0;
  }

  private static List<String> shown(List<FileRecord> records) {
    return records.stream().map(RangeReaderTest::shown).toList();
  }

  private static String shown(FileRecord each) {
    String payload = new String(each.payload(), StandardCharsets.UTF_8);
    boolean plain = payload.chars().allMatch(c -> c >= ' ' && c < 127);
    return each.number() + ": " + (plain ? payload : HexFormat.of().formatHex(each.payload()));
  }
}
