package io.sluice.refine.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.targets.BenchmarkGrams.Hit;
import io.sluice.refine.text.Words;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchmarkGramsTest {
  private static final String QUESTION =
      "Which of these animals lays its eggs in the nests of other birds, and why does it?";
  private static final String SHORT = "A stitch in time saves how many others?";

  @TempDir private Path folder;

  @Test
  void findsRunsOfABenchmark() {
    BenchmarkGrams grams = grams();

    assertThat(grams.first(Words.of("He asked: " + QUESTION))).contains(new Hit("birds", 2, 13));
    assertThat(grams.first(Words.of("x y z animals lays its eggs in the nests of other birds and")))
        .isEmpty();
    assertThat(
            grams.first(
                Words.of("x ANIMALS lays its eggs; in the nests of other birds and why does")))
        .contains(new Hit("birds", 1, 13));
    assertThat(grams.benchmarks()).containsExactly("birds", "sayings");
  }

  @Test
  void shortTextsCountWhole() {
    BenchmarkGrams grams = grams();

    assertThat(grams.first(Words.of("so " + SHORT + " he asked")))
        .contains(new Hit("sayings", 1, 8));
    assertThat(grams.first(Words.of("A stitch in time saves how many"))).isEmpty();
    assertThat(BenchmarkGrams.builder().add("b", "a stitch in time saves nine others")).isFalse();
    assertThat(grams.first(Words.of(""))).isEmpty();
  }

  @Test
  void theFirstBenchmarkHasARun() {
    BenchmarkGrams.Builder builder = BenchmarkGrams.builder();
    builder.add("one", SHORT);
    builder.add("two", SHORT);

    assertThat(builder.build().first(Words.of(SHORT))).contains(new Hit("one", 0, 8));
    assertThat(builder.build().size()).isEqualTo(1);
  }

  @Test
  void isReadAsItWasWritten() {
    BenchmarkGrams.Builder builder = BenchmarkGrams.builder();
    for (int i = 0; i < 300; i++) {
      builder.add("b" + i, words(i, 40));
    }
    BenchmarkGrams written = builder.build();
    ModelDirectory model = written.write(folder.resolve("m"));
    BenchmarkGrams read = BenchmarkGrams.open(folder.resolve("m"));

    assertThat(read.size()).isEqualTo(written.size()).isEqualTo(300 * 28);
    assertThat(read.benchmarks()).isEqualTo(written.benchmarks());
    for (int i = 0; i < 300; i++) {
      assertThat(read.first(Words.of("x " + words(i, 20)))).contains(new Hit("b" + i, 1, 13));
    }
    assertThat(read.first(Words.of(words(1_000, 500)))).isEmpty();
    assertThat(read.write(folder.resolve("n")).hash()).isEqualTo(model.hash());
  }

  @Test
  void oldModelsAreStillWritten() {
    BenchmarkGrams.Builder builder = BenchmarkGrams.builder();
    builder.add("sayings", SHORT);
    ModelDirectory model = builder.build().write(folder.resolve("m"));

    assertThat(HexFormat.of().formatHex(model.file("grams.bin", 8))).isEqualTo("b41192bfa49495a8");
    assertThat(HexFormat.of().formatHex(model.file("heads.bin", 8))).isEqualTo("e55af7cfed1ded6e");
  }

  @Test
  void anEmptyModelHasNothing() {
    BenchmarkGrams.builder().build().write(folder.resolve("m"));

    assertThat(BenchmarkGrams.open(folder.resolve("m")).first(Words.of(QUESTION))).isEmpty();
  }

  @Test
  void refusesWhatIsNone() {
    assertThatThrownBy(() -> BenchmarkGrams.builder().add("", QUESTION))
        .isInstanceOf(BadInputException.class)
        .hasMessage("a benchmark's name must have 1 to 200 characters: found 0");
    BenchmarkGrams.Builder many = BenchmarkGrams.builder();
    for (int i = 0; i < BenchmarkGrams.MOST_BENCHMARKS; i++) {
      many.add("b" + i, "");
    }
    assertThatThrownBy(() -> many.add("more", ""))
        .isInstanceOf(BadInputException.class)
        .hasMessage("there must be at most 4096 benchmarks: found 4097");
    assertRefused("a", 2, 8, new byte[8], "grams.bin must have 16 bytes: found 8");
    assertRefused("b", 1, 7, new byte[8], "lengths of runs must be 8 to 13 words: found 7");
    assertRefused("c", 1, 8, new byte[8], "it has 1 benchmarks: found number 258");
  }

  private void assertRefused(String name, int size, int length, byte[] grams, String reason) {
    var parameters =
        ModelDirectory.parameters().put("version", 1).put("grams", size).put("heads", 0);
    parameters.putArray("benchmarks").add("birds");
    parameters.putArray("lengths").add(length);
    ModelDirectory.write(
        folder.resolve(name),
        BenchmarkGrams.KIND,
        parameters,
        Map.of("grams.bin", grams, "owners.bin", new byte[] {1, 2}, "heads.bin", new byte[0]));
    assertThatThrownBy(() -> BenchmarkGrams.open(folder.resolve(name)))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private static BenchmarkGrams grams() {
    BenchmarkGrams.Builder builder = BenchmarkGrams.builder();
    assertThat(builder.add("birds", QUESTION)).isTrue();
    assertThat(builder.add("sayings", SHORT)).isTrue();
    return builder.build();
  }

  private static String words(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, count)
        .mapToObj(i -> "w" + random.nextInt(1_000_000))
        .collect(Collectors.joining(" "));
  }
}
