package io.sluice.lab.reproduce.arm;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Outcomes of an experiment's arms, in a file each: what has one is not run again.
 *
 * @param directory with a folder for each trial
 */
public record KeptOutcomes(Path directory) {
  static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  /** Everything of a trial is in it. */
  Path folder(Trial trial) {
    return directory.resolve(trial.id());
  }

  /** That of an arm, if it has ended. */
  public Optional<ArmOutcome> find(Trial trial, Arm arm) {
    Path kept = file(trial, arm);
    try {
      return Files.exists(kept)
          ? Optional.of(JSON.readValue(kept.toFile(), ArmOutcome.class))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keeps one, so that it is there as a whole or not at all. */
  void keep(Trial trial, Arm arm, ArmOutcome outcome) throws IOException {
    Path kept = file(trial, arm);
    Path unfinished = Files.createTempFile(kept.getParent(), arm.name(), ".unfinished");
    JSON.writeValue(unfinished.toFile(), outcome);
    Files.move(unfinished, kept);
  }

  private Path file(Trial trial, Arm arm) {
    return folder(trial).resolve(arm.name() + ".json");
  }
}
