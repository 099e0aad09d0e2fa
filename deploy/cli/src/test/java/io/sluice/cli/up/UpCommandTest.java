package io.sluice.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class UpCommandTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --cluster --task-managers 0       | task managers must be from 1 to 64: 0
          --cluster --task-managers 65      | task managers must be from 1 to 64: 65
          --cluster --parallelism 65        | parallelism must be from 1 to 64: 65
          --cluster --prepare-parallelism 65 | parallelism of preparing must be from 1 to 64: 65
          --cluster --prepare-parallelism 0 | parallelism of preparing must be from 1 to 64: 0
          --prepare-parallelism 2           | --prepare-parallelism must stand with --cluster
          --prepare-threads 1025            | threads of preparing must be from 1 to 1024: 1025
          --prepare-threads -1              | threads of preparing must be from 1 to 1024: -1
          --cluster --task-manager-memory 3 | task manager memory must be at least 1024m: 3 bytes
          --cluster --broker-memory lots    | --broker-memory must be a size such as 512m or 2g: 'lots'
          --cluster --delivery-timeout 1    | --delivery-timeout must be a time such as 500ms, 30s or 10m: '1'
          --cluster --delivery-timeout 10ms | delivery timeout must be at least 1 s: 10ms
          --task-managers 3                 | --task-managers must stand with --cluster
          --kafka a:1 --port 9092           | --port is for a Kafka that is started here: --kafka, $SLUICE_KAFKA or a context names another
          --cluster --kafka a:1 --broker-memory 1g | --broker-memory is for a Kafka that is started here: --kafka, $SLUICE_KAFKA or a context names another
          --kafka-config f                  | --kafka-config must stand with --kafka: the Kafka that is started needs none
          """)
  void namesWhatCannotBe(String arguments, String message) {
    String[] failure = new String[1];
    GlobalOptions global = new GlobalOptions(Map.of(), directory);
    int code =
        new CommandLine(new UpCommand())
            .addMixin(CliCommand.GLOBAL, global)
            .setExecutionExceptionHandler(
                (e, command, parsed) -> {
                  failure[0] = e.getMessage();
                  return 2;
                })
            .setParameterExceptionHandler(
                (e, args) -> {
                  failure[0] = e.getMessage();
                  return 2;
                })
            .execute(arguments.split(" "));
    assertThat(code).isEqualTo(2);
    assertThat(failure[0]).isEqualTo(message);
  }
}
