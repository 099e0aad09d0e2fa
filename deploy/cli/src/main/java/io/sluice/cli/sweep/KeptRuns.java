package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What came of runs, in a file each: one that is kept is not run again. */
record KeptRuns(Path directory) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What came of a run, if it has ended.
   *
   * @param asked what it is asked for now
   * @throws BadInputException if it was asked for something else
   */
  Optional<SweptRun> find(String run, String asked) {
    Path file = file(run);
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      SweptRun kept = JSON.readValue(file.toFile(), SweptRun.class);
      if (!kept.asked().equals(asked)) {
        throw new BadInputException(
            "--out "
                + directory
                + " has what came of run '"
                + run
                + "' with other settings than the file has now: give the sweep another name");
      }
      return Optional.of(kept);
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
