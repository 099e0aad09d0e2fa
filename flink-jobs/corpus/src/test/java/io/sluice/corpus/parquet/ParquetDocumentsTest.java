package io.sluice.corpus.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.Fields;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.LocalFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads files that pyarrow wrote ({@code src/test/resources/parquet/make.py}). */
class ParquetDocumentsTest {
  private static final Path SAMPLES = Path.of("src/test/resources/parquet");
  private static final List<String> ROWS =
      List.of(
          "1 1 first",
          "2 2 null",
          "3 3 zwölf Boxkämpfer",
          "4 4 ",
          "5 5 " + "x".repeat(3000),
          "6 6 fünf",
          "7 null same",
          "8 8 same");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"none", "snappy", "gzip", "zstd", "pages-v2"})
  void rowsComeBackAsTheyWereWritten(String sample) throws Exception {
    assertThat(rows(sample(sample), Fields.STANDARD)).isEqualTo(ROWS);
  }

  @Test
  void columnsAreChosenByName() throws Exception {
    assertThat(rows(sample("zstd"), new Fields("name", "text")))
        .startsWith("1 first n0", "2 null n1", "3 zwölf Boxkämpfer n2");
    assertThat(rows(sample("zstd"), new Fields("raw", "nobody's")))
        .startsWith("1 null ok", "2 null " + new String(new byte[] {-1, -2}, UTF_8));
  }

  @Test
  void aCompressionThatIsNotReadIsNamed() {
    assertThatThrownBy(() -> rows(sample("lz4"), Fields.STANDARD))
        .isInstanceOf(IOException.class)
        .hasMessage("compression must be none, snappy, gzip or zstd: found LZ4_RAW");
  }

  @Test
  void aColumnThatHoldsNoTextsOrIdsIsRefusedWithItsType() {
    assertRefused(new Fields("body", "id"), "'body' must be a column of texts: found nothing");
    assertRefused(
        new Fields("id", "name"), "'id' must be a column of texts: found optional int64 id");
    assertRefused(
        new Fields("input_ids", "id"),
        "'input_ids' must be a column of texts: found optional group input_ids (LIST)"
            + " { repeated group list { optional int32 element; } }");
    assertRefused(
        new Fields("text", "input_ids"),
        "'input_ids' must be a column of texts or whole numbers: found optional group input_ids"
            + " (LIST) { repeated group list { optional int32 element; } }");
  }

  @Test
  void aFileThatIsCutOffAnywhereIsAnError() throws IOException {
    byte[] whole = Files.readAllBytes(sample("zstd"));
    for (int length = 0; length < whole.length; length += 97) {
      Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> rows(cut, Fields.STANDARD)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void whatIsNoParquetFileIsAnError() throws IOException {
    for (String content :
        List.of("", "PAR1", "PAR1PAR1", "prose ".repeat(100), "PAR1\0\0\0\0PARE")) {
      Path file = Files.writeString(directory.resolve("file"), content);
      assertThatThrownBy(() -> rows(file, Fields.STANDARD)).isInstanceOf(IOException.class);
    }
  }

  /** Whatever is damaged, nothing but an error that names the file comes of it. */
  @Test
  void aDamagedFileIsAnErrorOrIsReadToItsEnd() throws IOException {
    Random random = new Random(20261124);
    List<String> names = List.of("none", "snappy", "gzip", "zstd", "pages-v2", "kinds");
    List<byte[]> samples = new ArrayList<>();
    for (String name : names) {
      samples.add(Files.readAllBytes(sample(name)));
    }
    Fields some = with("name", "raw");
    Fields kinds = with("lang", "score", "half", "year", "clean", "raw");
    int rounds = Boolean.getBoolean("sluice.full") ? 1_000_000 : 2_000;
    for (int round = 0; round < rounds; round++) {
      byte[] damaged = samples.get(round % samples.size()).clone();
      for (int hits = 1 + random.nextInt(3); hits > 0; hits--) {
        // Half of them in the footer and the ends of it.
        int from = random.nextBoolean() ? 0 : damaged.length * 3 / 5;
        damaged[from + random.nextInt(damaged.length - from)] = (byte) random.nextInt();
      }
      Path file = Files.write(directory.resolve("damaged"), damaged);
      try {
        rows(file, names.get(round % samples.size()).equals("kinds") ? kinds : some);
      } catch (IOException | RefusedException e) {
        assertThat(e).hasMessageNotContaining("OutOfMemory");
      } catch (Throwable e) {
        throw new AssertionError("round " + round + " of seed 20261124", e);
      }
    }
  }

  private static Fields with(String... properties) {
    return new Fields("text", "id", Optional.empty(), Optional.empty(), List.of(properties));
  }

  private void assertRefused(Fields fields, String reason) {
    assertThatThrownBy(() -> rows(sample("zstd"), fields))
        .isInstanceOf(RefusedException.class)
        .hasMessage(reason);
  }

  private static Path sample(String name) {
    return SAMPLES.resolve(name + ".parquet");
  }

  private static List<String> rows(Path path, Fields fields) throws IOException, RefusedException {
    List<String> rows = new ArrayList<>();
    try (ParquetDocuments file = ParquetDocuments.open(LocalFile.of(path), fields)) {
      for (ParquetRow row = file.next(); row != null; row = file.next()) {
        rows.add(row.number() + " " + shown(row.id()) + " " + shown(row.text()));
      }
      assertThat(file.done()).isBetween(0.0, 1.0);
    }
    return rows;
  }

  private static String shown(byte @Nullable [] bytes) {
    return bytes == null ? "null" : new String(bytes, UTF_8);
  }
}
