package io.sluice.lab.reproduce.arm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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

  /**
   * That of an arm, if it has ended.
   *
   * @param run what its run file would say
   * @throws BadInputException if it ended as another run than that
   */
  Optional<ArmOutcome> find(Trial trial, Arm arm, Map<String, ?> run) {
    Path kept = file(trial, arm);
    try {
      if (!Files.exists(kept)) {
        return Optional.empty();
      }
      if (!JSON.readTree(runFile(trial, arm).toFile()).equals(JSON.readTree(written(run)))) {
        throw new BadInputException(
            "--out has an arm that ran with other settings: "
                + runFile(trial, arm)
                + "; remove "
                + kept.getParent()
                + " and the service beside it, or name another folder");
      }
      return Optional.of(JSON.readValue(kept.toFile(), ArmOutcome.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same for an arm of which others have ended that it needs. */
  public Optional<ArmOutcome> find(
      String experiment, Trial trial, Scale scale, Arm arm, Outcomes ended) {
    Map<String, ?> run =
        new ArmRunFile(experiment, trial, scale).content(arm, arm.mixture().apply(ended));
    return find(trial, arm, run);
  }

  /** Writes the run file of an arm. */
  Path keepRun(Trial trial, Arm arm, Map<String, ?> run) throws IOException {
    Files.createDirectories(folder(trial));
    return Files.writeString(runFile(trial, arm), written(run));
  }

  private static String written(Map<String, ?> run) throws JsonProcessingException {
    return JSON.writeValueAsString(run);
  }

  private Path runFile(Trial trial, Arm arm) {
    return folder(trial).resolve(arm.name() + ".run.yaml");
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
