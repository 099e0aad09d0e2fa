package io.sluice.lab.demo.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import io.sluice.lab.docs.MarkdownPage;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecipePlayerTest {
  private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();

  @TempDir Path directory;

  private final List<String> printed = Collections.synchronizedList(new ArrayList<>());
  private final List<String> said = new ArrayList<>();
  private Path folder;
  private Workshop workshop;

  @BeforeEach
  void makeProject() throws IOException {
    Path project = directory.resolve("project");
    for (String file :
        List.of(
            "flink-jobs/jobs/src/main/A.java",
            "trainer-bridge/python/src/a.py",
            "trainer-bridge/python/src/a.pyc",
            "docs/a.md")) {
      Files.createDirectories(project.resolve(file).getParent());
      Files.writeString(project.resolve(file), file);
    }
    Files.writeString(project.resolve("sluice"), "#!/bin/sh\necho \"$@ of $WHO\"\n");
    assertThat(project.resolve("sluice").toFile().setExecutable(true)).isTrue();
    folder = directory.resolve("work");
    workshop = Workshop.make(project, project.resolve("sluice"), folder);
  }

  private RecipePlayer player(Duration limit) {
    AtomicLong clock = new AtomicLong();
    return new RecipePlayer(
        workshop,
        new Shell(folder, Map.of("WHO", "me"), limit, printed::add),
        () -> clock.getAndAdd(1_000_000_000),
        said::add);
  }

  private static RecipePage page(String... lines) {
    MarkdownPage page = MarkdownPage.of(String.join("\n", lines) + "\n");
    return new RecipePage("test", "test.md", page.blocks());
  }

  @Test
  void writesFilesAndTypesLinesInTheirOrder() throws Exception {
    RecipeReport report =
        player(Patience.MINUTE)
            .play(
                page(
                    "# Title",
                    "```yaml",
                    "run: one",
                    "batch: 2",
                    "```",
                    "## More",
                    "```sh",
                    "cat one.yaml && ls java/main python pages",
                    "./sluice audit --run one",
                    "```",
                    "```yaml",
                    "dataset: one",
                    "```",
                    "```java",
                    "not.of(this);",
                    "```",
                    "```sh",
                    "./sluice run plot one --svg one.svg",
                    "wc -l < one-data.yaml",
                    "```"));
    assertThat(said)
        .containsExactly(
            "writes one.yaml",
            "$ cat one.yaml && ls java/main python pages",
            "$ ./sluice audit --run one",
            "writes one-data.yaml",
            "$ ./sluice run plot one --svg one.svg",
            "$ wc -l < one-data.yaml");
    assertThat(printed)
        .startsWith("run: one", "batch: 2")
        .contains("A.java", "a.py", "a.md")
        .doesNotContain("a.pyc")
        .endsWith("run plot one --svg one.svg of me", "1");
    assertThat(report.audit()).isEqualTo("audit --run one of me");
    assertThat(report.picture()).isEqualTo(folder.resolve("one.svg").toString());
    assertThat(report.lines()).hasSize(4).allMatch(line -> line.seconds() == 1);
    assertThat(report.summary(folder))
        .containsExactly(
            "recipe test: 4 lines in 9 s, in " + folder,
            "audit --run one of me",
            "weights and losses: " + folder.resolve("one.svg"));
  }

  @Test
  void stopsAtTheFirstLineThatFails() {
    assertThatThrownBy(
            () ->
                player(Patience.MINUTE)
                    .play(page("```sh", "echo a", "echo why >&2; exit 3", "echo b", "```")))
        .isInstanceOf(CheckFailedException.class)
        .hasMessage(
            "line 2 of test.md ended with exit code 3: echo why >&2; exit 3%nwhy".formatted());
    assertThat(printed).containsExactly("a", "why");
  }

  @Test
  void keepsTheLastOfMuchOutput() {
    assertThatThrownBy(() -> player(Patience.MINUTE).play(page("```sh", "seq 1000; exit 1", "```")))
        .hasMessageEndingWith("%n999%n1000".formatted())
        .message()
        .hasLineCount(1 + Shell.KEPT);
    assertThat(printed).hasSize(1000);
  }

  @Test
  void leavesNothingBehindWhenItIsInterrupted() throws Exception {
    AtomicReference<Throwable> ended = new AtomicReference<>();
    Thread player =
        new Thread(
            () -> {
              try {
                player(Patience.MINUTE).play(page("```sh", "sleep 600 & echo $!; wait", "```"));
              } catch (InterruptedException | RuntimeException e) {
                ended.set(e);
              }
            });
    player.start();
    Patience.await(Patience.MINUTE, () -> !printed.isEmpty());
    long sleeper = Long.parseLong(printed.get(0));
    player.interrupt();
    player.join();
    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    assertThat(ProcessHandle.of(sleeper).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void givesUpALineThatDoesNotEnd() {
    assertThatThrownBy(() -> player(Duration.ofMillis(1)).play(page("```sh", "sleep 600", "```")))
        .isInstanceOf(UnreachableException.class)
        .hasMessage("'sleep 600' has not ended within 0 min");
  }

  @Test
  void refusesPagesThatCannotBePlayed() {
    assertThatThrownBy(() -> RecipePage.read(PROJECT, "x"))
        .isInstanceOf(BadInputException.class)
        .hasMessage("--recipe must be one of syne, dga: 'x'");
    assertThatThrownBy(() -> RecipePage.read(directory, "dga"))
        .hasMessageContaining("there is no docs/recipes/dga.md in ");
    assertThatThrownBy(() -> page("# Nothing"))
        .hasMessage("test.md must have lines to type in blocks of 'sh'");
    assertThatThrownBy(
            () -> player(Patience.MINUTE).play(page("```yaml", "a", "```", "```sh", "true", "```")))
        .hasMessageContaining("must begin with a kind and a name, as 'run: small': 'a'");
    assertThatThrownBy(
            () -> Workshop.make(directory, directory.resolve("sluice"), directory.resolve("w")))
        .hasMessageContaining("--recipe needs this project's sources in ");
  }

  @Test
  void hasAPageForEachRecipe() {
    for (String name : RecipePage.NAMES) {
      assertThat(RecipePage.read(PROJECT, name).blocks()).isNotEmpty();
    }
  }
}
