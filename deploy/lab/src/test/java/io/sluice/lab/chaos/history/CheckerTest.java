package io.sluice.lab.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckerTest {
  private static final KafkaAccess KAFKA =
      new KafkaAccess("localhost:9", new Topics("x."), Map.of());
  private static final Checker.Bounds BOUNDS =
      new Checker.Bounds(Duration.ofSeconds(9), Duration.ofSeconds(4));

  @TempDir private Path project;
  private Path histories;

  @BeforeEach
  void histories() throws IOException {
    histories = Files.createDirectories(project.resolve("histories"));
    Files.createFile(histories.resolve("b.history.jsonl"));
    Files.createFile(histories.resolve("a.history.jsonl"));
    Files.createFile(histories.resolve("a.journal"));
  }

  @Test
  void isLeftOutWhereTheProjectIsNot() throws IOException {
    assertThat(Checker.find(project, python("exit 0"))).isEmpty();
  }

  @Test
  void aPythonThatLacksWhatItNeedsIsPassedOver() throws IOException {
    checker();
    String given = python("exit 1");
    assertThat(Checker.find(project, given).map(Checker::python)).isNotEqualTo(Optional.of(given));
  }

  @Test
  void saysWhatWasFound() throws IOException {
    checker();
    Checker checker =
        Checker.find(project, python("[ $1 = -c ] && exit 0; pwd; echo $@; exit 3")).orElseThrow();
    Checker.Result all = checker.check(KAFKA, histories, null, BOUNDS);
    assertThat(all.broken()).isTrue();
    assertThat(all.lines())
        .containsExactly(
            project.resolve("deploy/checker").toRealPath().toString(),
            "-m checker --kafka localhost:9 --prefix x. --flow-within 9 --clocks-differ 4 --history "
                + histories.resolve("a.history.jsonl")
                + " "
                + histories.resolve("b.history.jsonl"));
    assertThat(checker.check(KAFKA, histories, "r.1", BOUNDS).lines().get(1))
        .contains(" --run r.1 ");
  }

  @Test
  void aCheckerThatFailsHasFoundNothing() throws IOException {
    checker();
    Checker checker =
        Checker.find(project, python("[ $1 = -c ] && exit 0; echo gone; exit 1")).orElseThrow();
    assertThatThrownBy(() -> checker.check(KAFKA, histories, null, BOUNDS))
        .isInstanceOf(UnreachableException.class)
        .hasMessage("the checker failed: gone");
  }

  private void checker() throws IOException {
    Files.createDirectories(project.resolve("deploy/checker"));
  }

  private String python(String script) throws IOException {
    Path python = Files.writeString(project.resolve("python"), "#!/bin/sh\n" + script + "\n");
    assertThat(python.toFile().setExecutable(true)).isTrue();
    return python.toString();
  }
}
