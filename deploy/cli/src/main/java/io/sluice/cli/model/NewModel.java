package io.sluice.cli.model;

import io.sluice.control.error.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command writes the model that it makes. */
final class NewModel {
  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "The model's directory, which must not be there yet.")
  private Path out = Path.of("");

  /** The directory. */
  Path directory() {
    return out;
  }

  /** Refuses a directory that is there, before anything is done. */
  void requireNew() {
    if (Files.exists(out)) {
      throw new BadInputException("--out must be a directory that is not there yet: " + out);
    }
  }
}
