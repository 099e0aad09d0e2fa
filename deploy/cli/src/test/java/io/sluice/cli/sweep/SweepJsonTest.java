package io.sluice.cli.sweep;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepJsonTest {
  @TempDir Path directory;

  @Test
  void saysWhatIsWrongWithAFileAndWhere() throws IOException {
    Path file = directory.resolve("sweep.json");
    refused(file, file + ": java.io.FileNotFoundException");
    Files.writeString(file, "{\n  \"sweep\": \"eta\",\n  \"arms\": [,]}");
    refused(file, file + ": Unexpected character (',' (code 44))");
    refused(file, "at line 3, column 12");
    Files.writeString(file, "{\"sweep\": \"eta\"}");
    refused(file, file + ": Missing creator property");
  }

  private static void refused(Path file, String reason) {
    assertThatThrownBy(() -> SweepJson.read(file))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("FILE must be what 'sluice sweep --json' wrote: ")
        .hasMessageContaining(reason);
  }
}
