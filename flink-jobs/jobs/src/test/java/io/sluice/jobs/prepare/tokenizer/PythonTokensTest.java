package io.sluice.jobs.prepare.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Texts have the ids that Python's {@code tokenizers} gives them. What is committed was written by
 * {@code train.py docs small 300 60 400000}, in the folder of the resources.
 */
class PythonTokensTest {
  private static final Path RESOURCES = Path.of("src/test/resources/tokenizers");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Whether it takes 10,000 texts and one of 1 MB for each file, or a tenth. */
  private static final boolean FULL = Boolean.getBoolean("sluice.full");

  @TempDir Path directory;

  static List<Path> committed() throws IOException {
    return answers(RESOURCES.resolve("small"));
  }

  @ParameterizedTest
  @MethodSource("committed")
  void textsHaveTheIdsThatPythonGivesThem(Path answers) throws Exception {
    requireSameIds(answers);
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.python", matches = ".+")
  void textsHaveTheIdsThatPythonGivesThemNow() throws Exception {
    Process python =
        new ProcessBuilder(
                System.getProperty("sluice.python"),
                RESOURCES.resolve("train.py").toString(),
                "../../docs",
                directory.toString(),
                "2000",
                FULL ? "10000" : "1000",
                FULL ? "1000000" : "100000")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    assertThat(python.waitFor()).as(() -> output()).isZero();
    List<Path> trained = answers(directory);
    assertThat(trained).hasSize(10);
    for (Path answers : trained) {
      requireSameIds(answers);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "prepend, 1c51695847f43b29dc7154ceb2a2d97c6ceadc8fd8486401fa5c63aceaa2c373",
    "word-piece, d147828a1364629786d52c92e2863a7804e631b8e3c46ecd265d0ad64a8053b4"
  })
  void longTextsOfVersion1HaveTheIdsThatTheyHad(String kind, String digest) throws Exception {
    Path answers = RESOURCES.resolve("small").resolve(kind + ".ids.jsonl");
    List<String> lines = Files.readAllLines(answers);
    JsonNode longest = JSON.readTree(lines.get(lines.size() - 2));
    String name = "file:" + RESOURCES.resolve("small").resolve(kind + ".json");
    try (Tokenizer tokenizer = Tokenizers.forName(new TokenizerChoice(name, 1, "", ""))) {
      assertThat(digest(TokenizersTest.ids(tokenizer, text(longest)))).isEqualTo(digest);
    }
  }

  private String output() {
    try {
      return Files.readString(directory.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static List<Path> answers(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".ids.jsonl")).sorted().toList();
    }
  }

  private static void requireSameIds(Path answers) throws Exception {
    String file = answers.toString().replace(".ids.jsonl", ".json");
    try (Tokenizer tokenizer = Tokenizers.forName("file:" + file);
        Stream<String> lines = Files.lines(answers)) {
      for (String line : (Iterable<String>) lines::iterator) {
        JsonNode answer = JSON.readTree(line);
        String unit = answer.path("unit").textValue();
        int[] ids = TokenizersTest.ids(tokenizer, text(answer));
        String what = answers.getFileName() + ": " + answer.path("times") + " x " + brief(unit);
        int[] first = JSON.convertValue(answer.path("first"), int[].class);
        assertThat(Arrays.copyOf(ids, first.length)).as(what).isEqualTo(first);
        assertThat(ids).as(what).hasSize(answer.path("count").intValue());
        assertThat(digest(ids)).as(what).isEqualTo(answer.path("sha256").textValue());
      }
    }
  }

  private static String text(JsonNode answer) {
    return answer.path("unit").textValue().repeat(answer.path("times").intValue());
  }

  private static String brief(String text) {
    String shown = text.substring(0, Math.min(text.length(), 200));
    return JSON.getNodeFactory().textNode(shown).toString();
  }

  private static String digest(int[] ids) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(4 * ids.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(ids);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
  }
}
