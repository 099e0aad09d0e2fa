package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
  @TempDir private Path directory;

  @Test
  void emptiesWhatAnEarlierDemoLeft() throws Exception {
    Path state = directory.resolve("state");
    StateDirectory.empty(state);
    Files.createDirectories(state.resolve("broker/log"));
    Files.writeString(state.resolve("broker/log/segment"), "old");
    StateDirectory.empty(state);
    assertThat(state.resolve("broker")).doesNotExist();
  }

  @Test
  void keepsItsHandsOffOtherPeoplesFiles() throws Exception {
    Path thesis = Files.writeString(directory.resolve("thesis.txt"), "years of work");
    assertThatThrownBy(() -> StateDirectory.empty(directory))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--state-dir must be empty or hold an earlier demo");
    assertThat(thesis).hasContent("years of work");
  }

  @Test
  void saysWhenItCannotBeWritten() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThatThrownBy(() -> StateDirectory.empty(file.resolve("state")))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--state-dir must be a directory that can be written");
  }
}
