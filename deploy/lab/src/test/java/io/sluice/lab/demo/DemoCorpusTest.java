package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCorpusTest {
  @TempDir private Path directory;

  @Test
  void takesAFolderPerDomain() throws Exception {
    Path corpus = directory.resolve("corpus");
    Files.createDirectories(corpus.resolve("wiki/deep"));
    Files.createDirectories(corpus.resolve("code"));
    Files.createDirectories(corpus.resolve(".hidden"));
    Files.writeString(corpus.resolve("wiki/deep/page.md"), "text");
    Files.writeString(corpus.resolve("code/lines.jsonl"), "{\"text\":\"x\"}\n");
    assertThat(DemoCorpus.of(settings(corpus)).domains()).containsExactly("code", "wiki");
  }

  @Test
  void refusesAFolderWithoutDomainsOrWithAnEmptyOne() throws Exception {
    Path corpus = Files.createDirectories(directory.resolve("corpus"));
    assertThatThrownBy(() -> DemoCorpus.of(settings(corpus)))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--corpus must have a sub-folder for each domain");
    Files.createDirectories(corpus.resolve("wiki"));
    assertThatThrownBy(() -> DemoCorpus.of(settings(corpus)))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--corpus must have files in each sub-folder");
    assertThatThrownBy(() -> DemoCorpus.of(settings(directory.resolve("nowhere"))))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--corpus must be a folder that can be read");
  }

  @Test
  void makesItsOwnDomainsFromTheProject() throws Exception {
    Path project = Files.createDirectories(directory.resolve("project/schemas"));
    Files.writeString(directory.resolve("project/out.json"), "{}");
    Files.writeString(project.resolve("A.java"), "/** Says\n * hello. */\nfinal class A {}\n");
    Files.writeString(project.resolve("pom.xml"), "<project/>");
    DemoSettings settings =
        new DemoSettings(
            directory.resolve("project"),
            directory.resolve("state"),
            0,
            Optional.empty(),
            "static",
            1,
            4,
            16,
            1,
            0,
            Map.of(),
            List.of(),
            1,
            1,
            Optional.empty());
    assertThat(DemoCorpus.of(settings).domains())
        .containsExactly("arithmetic", "config", "java", "prose");
    Path files = directory.resolve("state/corpus/files");
    assertThat(files.resolve("config")).isDirectoryNotContaining("glob:**out.json*");
    assertThat(files.resolve("prose/schemas.A.java.txt")).hasContent("Says\nhello.");
    assertThat(Files.readString(files.resolve("arithmetic/sums-0.txt")).lines())
        .hasSize(60)
        .allSatisfy(DemoCorpusTest::assertSum);
  }

  private static void assertSum(String line) {
    String[] words = line.split(" ", -1);
    int a = Integer.parseInt(words[0]);
    int b = Integer.parseInt(words[2]);
    int expected = words[1].equals("+") ? a + b : a - b;
    assertThat(Integer.parseInt(words[4])).isEqualTo(expected);
  }

  private DemoSettings settings(Path corpus) {
    return new DemoSettings(
        directory,
        directory.resolve("state"),
        0,
        Optional.of(corpus),
        "static",
        1,
        4,
        16,
        1,
        0,
        Map.of(),
        List.of(),
        1,
        1,
        Optional.empty());
  }
}
