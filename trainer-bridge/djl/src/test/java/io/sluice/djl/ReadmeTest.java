package io.sluice.djl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The README's code is code that compiles. */
final class ReadmeTest {
  private static final Path EXAMPLE = Path.of("src/test/java/io/sluice/djl/ReadmeExample.java");

  @ParameterizedTest
  @ValueSource(strings = {"reference", "own"})
  void showsTheExample(String name) throws IOException {
    List<String> lines = Files.readAllLines(EXAMPLE);
    int from = lines.indexOf("    // README: " + name) + 1;
    List<String> rest = lines.subList(from, lines.size());
    String code =
        String.join("\n", rest.subList(0, rest.indexOf("    // README: end"))).stripIndent();
    assertThat(from).isPositive();
    assertThat(Files.readString(Path.of("README.md"))).contains("```java\n" + code + "\n```");
  }
}
