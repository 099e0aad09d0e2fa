package io.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Sluice;
import io.sluice.cli.options.GlobalOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShowCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --watch --every 100ms | --every must be from 200ms to 1h: '100ms'
          --watch --every 2h | --every must be from 200ms to 1h: '2h'
          --watch --every 2 | --every must be a time such as 500ms, 30s or 10m: '2'
          --every 5s | --every must stand with --watch
          """)
  void howOftenIsBoundedAndForWhoWatches(String options, String message) {
    StringWriter err = new StringWriter();
    int code =
        Sluice.commandLine(new GlobalOptions(Map.of(), folder), further -> {})
            .setErr(new PrintWriter(err, true))
            .execute(("run show r " + options).split(" "));
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }
}
