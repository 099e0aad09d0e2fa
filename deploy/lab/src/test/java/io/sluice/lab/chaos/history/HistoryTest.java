package io.sluice.lab.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(7));
  private static final String PROCESS = "chaos#" + ProcessHandle.current().pid();

  @TempDir private Path directory;

  @Test
  void aLineIsThereOnceItIsAdded() throws IOException {
    try (History history = History.open(directory.resolve("new"), "chaos", CLOCK)) {
      history.add(Outcome.INVOKE, "fault", line -> line.put("what", "kill"));
      assertThat(Files.readString(directory.resolve("new").resolve("chaos.history.jsonl")))
          .isEqualTo(line("invoke", "kill"));
    }
  }

  @Test
  void goesOnBehindTheLastWholeLine() throws IOException {
    Path file = directory.resolve("chaos.history.jsonl");
    try (History history = History.open(directory, "chaos", CLOCK)) {
      history.add(Outcome.OK, "fault", line -> line.put("what", "kill"));
    }
    Files.writeString(file, "{\"at\": 8, \"proc", StandardOpenOption.APPEND);
    try (History history = History.open(directory, "chaos", CLOCK)) {
      history.add(Outcome.INFO, "fault", line -> line.put("what", "stop"));
    }
    assertThat(Files.readString(file)).isEqualTo(line("ok", "kill") + line("info", "stop"));
  }

  private static String line(String type, String what) {
    return String.format(
        "{\"at\":7,\"process\":\"%s\",\"type\":\"%s\",\"op\":\"fault\",\"what\":\"%s\"}%n",
        PROCESS, type, what);
  }
}
