package io.sluice.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.control.error.BadInputException;
import io.sluice.lab.chaos.fault.FaultKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ChaosCommandTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --faults 0            | --faults must be at least 1: 0
          --kinds kill-everyone | --kinds must be of [kill-task-manager, freeze-task-manager, slow-
          --brokers 2           | --brokers must be 1 or 3: 2
          --brokers 3 --kinds lost-fsync | --kinds must be such that --brokers 3 can suffer: lost-fsync
          --pace quick          | --pace must be a time such as 500ms, 30s or 10m: 'quick'
          """)
  void namesWhatCannotBe(String arguments, String message) {
    String[] failure = new String[1];
    int code =
        new CommandLine(new ChaosCommand())
            .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), directory))
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  failure[0] = e.getMessage();
                  return 2;
                })
            .execute(arguments.split(" "));
    assertThat(code).isEqualTo(2);
    assertThat(failure[0]).startsWith(message);
  }

  @Test
  void refusesADirectoryThatHoldsSomething() throws Exception {
    Files.writeString(directory.resolve("file"), "of somebody");
    assertThatThrownBy(
            () ->
                new ChaosSettings(
                    1,
                    1,
                    EnumSet.of(FaultKind.RESCALE),
                    directory,
                    1,
                    1,
                    Duration.ofSeconds(4),
                    Duration.ofMillis(50),
                    0,
                    Optional.empty()))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "--state-dir must be an empty directory, or one that is not there yet: " + directory);
  }

  @Test
  void theHelpNamesEveryKind() {
    String help =
        new CommandLine(new ChaosCommand())
            .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), directory))
            .getUsageMessage();
    for (FaultKind kind : FaultKind.values()) {
      assertThat(help.replaceAll("\\s+", " ")).contains(kind.label());
    }
  }
}
