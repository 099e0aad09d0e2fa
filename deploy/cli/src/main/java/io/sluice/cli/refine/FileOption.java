package io.sluice.cli.refine;

import io.sluice.schema.RefineSpec;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The file of a refinery. */
final class FileOption {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "The refinery, in YAML.")
  private Path file = Path.of("refine.yaml");

  /** What it describes. */
  RefineSpec read() {
    return RefineFile.read(file);
  }
}
