package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What came of runs, in a file each: one that is kept is not run again. */
record KeptRuns(Path directory) {
  private static final ObjectMapper JSON = new ObjectMapper();

  Optional<SweptRun> find(String run) {
    Path file = file(run);
    try {
      return Files.exists(file)
          ? Optional.of(JSON.readValue(file.toFile(), SweptRun.class))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps one, so that it is there as a whole or not at all. */
  void keep(SweptRun run) {
    try {
      Path unfinished = Files.createTempFile(directory, run.run(), ".unfinished");
      JSON.writeValue(unfinished.toFile(), run);
      Files.move(unfinished, file(run.run()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(String run) {
    return directory.resolve(run + ".json");
  }
}
