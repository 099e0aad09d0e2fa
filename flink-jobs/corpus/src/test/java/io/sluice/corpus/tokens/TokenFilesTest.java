package io.sluice.corpus.tokens;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.LocalFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads files that NumPy, pyarrow, megatron-core and mosaicml-streaming wrote ({@code
 * src/test/resources/tokens/make.py}).
 */
class TokenFilesTest {
  private static final Path SAMPLES = Path.of("src/test/resources/tokens");
  private static final TokenIds GPT2 = new TokenIds(50_257 + 1, 2);
  private static final TokenLayout TOKENS = layout("tokens");
  private static final TokenLayout INPUT_IDS = layout("input_ids");
  private static final String LONG =
      IntStream.range(0, 300)
          .mapToObj(i -> i * i % 50_257 + 1 + "")
          .collect(Collectors.joining(" ", "", " 0"));
  private static final List<String> DOCUMENTS = List.of("1 2 3 0", "50256 7 0", LONG, "9 0");

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {"megatron-u2.idx", "megatron-i4.idx", "megatron-modes.idx", "flat-u2.npy"})
  void documentsComeBackIdForId(String sample) throws Exception {
    List<String> expected = new ArrayList<>(DOCUMENTS);
    if (sample.startsWith("megatron")) {
      expected.add("");
    }
    assertThat(read(SAMPLES.resolve(sample), TOKENS)).isEqualTo(expected);
  }

  @Test
  void aRowOfIdsThatEndsWithoutAnEndIsADocument() throws Exception {
    assertThat(read(SAMPLES.resolve("flat-i8.npy"), TOKENS))
        .containsExactly("1 2 3 0", "50256 7 0", LONG, "9");
    assertThat(read(SAMPLES.resolve("empty.npy"), TOKENS)).isEmpty();
  }

  @Test
  void rowsAndFixedShapesAreDocuments() throws Exception {
    assertThat(read(SAMPLES.resolve("rows-u4.npy"), TOKENS))
        .containsExactly("1 2 3 0", "50256 7 0 1", "2 5 10 17");
    assertThat(read(SAMPLES.resolve("fixed-u4.mds"), TOKENS))
        .containsExactly("d0: 1 2 3 0", "d1: 1 2 5 10");
  }

  @ParameterizedTest
  @ValueSource(strings = {"arrays.mds", "arrays-i4.mds.zstd", "bytes-i8.mds.gz"})
  void shardsGiveTheirIdsUnderTheirNames(String sample) throws Exception {
    assertThat(read(SAMPLES.resolve(sample), TOKENS))
        .containsExactly("d0: 1 2 3 0", "d1: 50256 7 0", "d2: " + LONG, "d3: 9 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lists-i4", "lists-i8", "lists-u2"})
  void listsOfParquetAreDocumentsAndNullsAreRefused(String sample) throws Exception {
    assertThat(read(SAMPLES.resolve(sample + ".parquet"), INPUT_IDS))
        .containsExactly(
            "a: 1 2 3 0",
            "b: 50256 7 0",
            LONG,
            "d: 9 0",
            "'input_ids' is null",
            "'input_ids' holds a null");
  }

  @Test
  void columnsThatHoldNoIdsAreNamed() {
    Path lists = SAMPLES.resolve("lists-i4.parquet");
    assertRefused(lists, TOKENS, "'tokens' must be a column of token ids: found nothing");
    assertRefused(
        lists,
        layout("text"),
        "'text' must be a column of token ids: found optional binary text (STRING)");
    assertThatThrownBy(() -> read(lists, layout("nested")))
        .hasMessageStartingWith("'nested' must be a column of token ids: found optional group");
    Path shard = SAMPLES.resolve("arrays.mds");
    assertRefused(
        shard,
        INPUT_IDS,
        "it must have the column 'input_ids': found [\"id\",\"source\",\"tokens\"]");
    assertRefused(
        shard, layout("id"), "column 'id' must be bytes or an ndarray of whole numbers: found str");
  }

  @ParameterizedTest
  @CsvSource({"big-endian,>u2", "floats,<f4", "fortran,'fortran_order': True"})
  void otherArraysAreNamed(String sample, String found) {
    assertThatThrownBy(() -> read(SAMPLES.resolve(sample + ".npy"), TOKENS))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the array must be of whole numbers, little-endian, in C order")
        .hasMessageContaining(found);
  }

  @Test
  void anIdBeyondTheVocabularyRefusesItsDocument() throws Exception {
    TokenRow row = rows(SAMPLES.resolve("megatron-i4.idx"), TOKENS).get(1);
    assertThatThrownBy(() -> new TokenIds(50_256, 2).of(row))
        .hasMessage("token 1 must be in [0, 50256): found 50256");
    assertThat(new TokenIds(70_000, 4).of(row)).hasSize(12);
    TokenRow negative =
        TokenRow.of(1, TokenType.INT64, new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
    assertThatThrownBy(() -> GPT2.of(negative))
        .hasMessage("token 1 must be in [0, 50258): found -1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"megatron-u2.idx", "flat-u2.npy", "rows-u4.npy", "arrays.mds", "lists-i4.parquet"})
  void aDocumentOverTheLimitIsRefusedAndTheNextIsThere(String sample) throws Exception {
    String field = sample.endsWith("parquet") ? "input_ids" : "tokens";
    TokenLayout small = new TokenLayout(TokenType.INT64, Optional.of(field), "id", 0, 12);
    List<String> read = read(SAMPLES.resolve(sample), small);
    if (sample.startsWith("rows")) {
      assertThat(read).containsOnly("the document's ids have 16 bytes; the limit is 12");
    } else {
      assertThat(read.get(1)).endsWith("50256 7 0");
      assertThat(read.get(2)).matches("the document's ids have \\d+ bytes; the limit is 12");
      assertThat(read.get(3)).endsWith("9 0");
    }
  }

  @Test
  void anIndexThatLiesIsAnErrorOrRefusesADocument() throws Exception {
    assertThat(damaged(0, (byte) 'X'))
        .isEqualTo("not an index of Megatron: it does not begin with MMIDIDX");
    assertThat(damaged(9, (byte) 2)).isEqualTo("the index must have version 1: found 2");
    assertThat(damaged(17, (byte) 6))
        .isEqualTo("the index must name a type of whole numbers: found code 6");
    assertThat(damaged(18, (byte) 9))
        .isEqualTo(
            "the index has 178 bytes, and says that it has 9 sequences and 6 bounds of documents");
    assertThat(damaged(25, (byte) -128)).startsWith("the index has 178 bytes, and says");
    // The length of the first sequence, and the place of the second.
    assertThat(damaged(34 + 2, (byte) 1))
        .isEqualTo("sequence 0 has 65539 ids from byte 0 on, and the .bin file 620 bytes");
    assertThat(damaged(34 + 3, (byte) -128)).startsWith("sequence 0 has -2147483645 ids");
    assertThat(damaged(34 + 8 * 4 + 8 + 7, (byte) 127))
        .startsWith("sequence 1 has 1 ids from byte");
    // The bounds of documents.
    assertThat(damaged(130 + 8, (byte) 9))
        .isEqualTo("document 1 must end with a sequence in [0, 8]: found 9");
    assertThat(damaged(130, (byte) 1))
        .isEqualTo("the bounds of documents must go from 0 to 8, the sequences");
  }

  @Test
  void aLengthBeyondItsDictionaryIsAnErrorAndTakesNoMemory() throws IOException {
    byte[] lies = Files.readAllBytes(SAMPLES.resolve("lists-i4.parquet"));
    int length = new String(lies, ISO_8859_1).indexOf("\1\0\0\0b");
    lies[length + 3] = 64;
    Path file = Files.write(directory.resolve("lies.parquet"), lies);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> read(file, INPUT_IDS)).isInstanceOf(IOException.class);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 28);
  }

  @Test
  void aFileThatIsCutOffAnywhereIsAnError() throws IOException {
    for (Path sample : samples()) {
      byte[] whole = Files.readAllBytes(sample);
      Path cut = directory.resolve(sample.getFileName());
      for (int length = 0; length < whole.length; length += 1 + whole.length / 60) {
        Files.write(cut, Arrays.copyOf(whole, length));
        assertThatThrownBy(() -> read(cut, layoutOf(cut)))
            .as("%s cut to %s bytes", sample, Files.size(cut))
            .isInstanceOf(IOException.class);
      }
    }
  }

  /** Whatever is damaged, nothing but an error or a refusal comes of it, and no id is another. */
  @Test
  void aDamagedFileIsAnErrorOrIsReadToItsEnd() throws IOException {
    Random random = new Random(20261124);
    List<Path> samples = samples();
    List<byte[]> contents = new ArrayList<>();
    for (Path sample : samples) {
      contents.add(Files.readAllBytes(sample));
    }
    int rounds = Boolean.getBoolean("sluice.full") ? 1_000_000 : 2_000;
    for (int round = 0; round < rounds; round++) {
      byte[] damaged = contents.get(round % samples.size()).clone();
      int reach = random.nextBoolean() ? damaged.length : Math.min(damaged.length, 200);
      for (int hits = 1 + random.nextInt(3); hits > 0; hits--) {
        damaged[random.nextInt(reach)] = (byte) random.nextInt();
      }
      Path file = directory.resolve(samples.get(round % samples.size()).getFileName());
      Files.write(file, damaged);
      try {
        read(file, layoutOf(file));
      } catch (IOException | RefusedException e) {
        assertThat(e).hasMessageNotContaining("OutOfMemory");
      } catch (Throwable e) {
        throw new AssertionError("round " + round + " of seed 20261124: " + file, e);
      }
    }
  }

  private String damaged(int place, byte value) throws IOException {
    byte[] index = Files.readAllBytes(SAMPLES.resolve("megatron-u2.idx"));
    index[place] = value;
    Path file = Files.write(directory.resolve("megatron-u2.idx"), index);
    beside(file);
    try {
      return read(file, TOKENS).stream().filter(row -> row.contains("e")).findFirst().orElseThrow();
    } catch (IOException | RefusedException e) {
      return e.getMessage();
    }
  }

  /** Samples that are read, each of which needs all of its bytes. */
  private List<Path> samples() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String name :
        List.of(
            "megatron-u2.idx",
            "megatron-i4.idx",
            "flat-u2.npy",
            "rows-u4.npy",
            "arrays.mds",
            "fixed-u4.mds",
            "arrays-i4.mds.zstd",
            "lists-i4.parquet",
            "lists-i8.parquet")) {
      Path sample = SAMPLES.resolve(name);
      beside(directory.resolve(name));
      found.add(sample);
    }
    return found;
  }

  private static void beside(Path index) throws IOException {
    String name = index.getFileName().toString();
    if (name.endsWith(".idx")) {
      String ids = name.replace(".idx", ".bin");
      Files.copy(
          SAMPLES.resolve(ids), index.resolveSibling(ids), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static void assertRefused(Path file, TokenLayout layout, String reason) {
    assertThatThrownBy(() -> read(file, layout)).hasMessage(reason);
  }

  private static TokenLayout layoutOf(Path file) {
    return file.toString().endsWith(".parquet") ? INPUT_IDS : TOKENS;
  }

  private static TokenLayout layout(String field) {
    return new TokenLayout(TokenType.INT64, Optional.of(field), "id", 0, 1 << 20);
  }

  private static List<TokenRow> rows(Path path, TokenLayout layout)
      throws IOException, RefusedException {
    List<TokenRow> rows = new ArrayList<>();
    try (TokenFile file = TokenFiles.open(LocalFile.of(path), layout)) {
      for (TokenRow row = file.next(); row != null; row = file.next()) {
        rows.add(row);
        assertThat(row.number()).isEqualTo(rows.size());
        assertThat(file.done()).isBetween(0.0, 1.0);
      }
      assertThat(file.done()).isEqualTo(1);
    }
    return rows;
  }

  /** Each document's id and ids, or why it cannot be used. */
  private static List<String> read(Path path, TokenLayout layout)
      throws IOException, RefusedException {
    List<String> read = new ArrayList<>();
    for (TokenRow row : rows(path, layout)) {
      byte[] id = row.id();
      try {
        read.add((id == null ? "" : new String(id, UTF_8) + ": ") + shown(GPT2.of(row)));
      } catch (RefusedException e) {
        read.add(e.getMessage());
      }
    }
    return read;
  }

  private static String shown(byte[] ids) {
    ByteBuffer in = ByteBuffer.wrap(ids).order(ByteOrder.LITTLE_ENDIAN);
    return IntStream.range(0, ids.length / 2)
        .mapToObj(i -> String.valueOf(in.getShort(2 * i) & 0xFFFF))
        .collect(Collectors.joining(" "));
  }
}
