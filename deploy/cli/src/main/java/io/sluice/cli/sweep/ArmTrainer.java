package io.sluice.cli.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.trainer.TrainerCommand;
import io.sluice.control.error.BadInputException;
import io.sluice.service.supervise.JavaProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;

/**
 * How the runs of a sweep are trained.
 *
 * @param options of {@code sluice trainer}, without their dashes
 * @param command a trainer of one's own, with placeholders; empty for {@code sluice trainer}
 */
record ArmTrainer(Map<String, JsonNode> options, List<String> command) {
  /** What a sweep says itself. */
  private static final Set<String> OWN =
      Set.of("run", "steps", "seed", "eval-every", "checkpoint-dir", "every-checkpoint", "from");

  /** By name, as it knows this command, and packages go in no circle. */
  private static final String MAIN = "io.sluice.cli.Sluice";

  private static final List<String> JVM =
      List.of(
          "-XX:+UseSerialGC",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED");

  /**
   * What is to be trained.
   *
   * @param steps the last one
   * @param evalEvery steps between held-out losses, of which the last step is one
   * @param checkpoints of this training
   * @param from those that it begins with, if it goes on from others
   */
  record Training(
      String run, int seed, long steps, long evalEvery, Path checkpoints, Optional<Path> from) {}

  /** Checks that options are the trainer's, and none the sweep's. */
  ArmTrainer {
    options = Map.copyOf(options);
    command = List.copyOf(command);
    CommandSpec trainer = CommandSpec.forAnnotatedObject(new TrainerCommand());
    Set<String> known = new TreeSet<>();
    trainer.options().forEach(option -> known.add(option.longestName().replaceFirst("^--", "")));
    known.removeAll(OWN);
    known.removeAll(Set.of("help", "version"));
    for (String name : options.keySet()) {
      if (!known.contains(name)) {
        throw new BadInputException(
            "'trainer.options' must be of " + known + ": found '" + name + "'");
      }
    }
    if (!command.isEmpty() && !options.isEmpty()) {
      throw new BadInputException(
          "'trainer.options' must be absent with 'trainer.command', which says its own: found "
              + options.keySet());
    }
  }

  /**
   * The process that trains.
   *
   * @param global options by which it reaches the service
   */
  ProcessBuilder program(Training training, List<String> global) {
    return command.isEmpty()
        ? new JavaProcess(MAIN, JVM, arguments(training, global)).builder(List.of())
        : new ProcessBuilder(filled(training, global)).redirectErrorStream(true);
  }

  private List<String> arguments(Training training, List<String> global) {
    Map<String, String> given = new LinkedHashMap<>();
    // What a training goes on from has its base in it.
    options.forEach(
        (name, value) -> {
          if (!name.equals("base") || training.from.isEmpty()) {
            given.put(name, value.asText());
          }
        });
    given.put("run", training.run);
    given.put("steps", Long.toString(training.steps));
    given.put("seed", Integer.toString(training.seed));
    given.put("eval-every", Long.toString(training.evalEvery));
    given.put("checkpoint-dir", training.checkpoints.toString());
    given.put("every-checkpoint", Long.toString(training.steps));
    training.from.ifPresent(from -> given.put("from", from.toString()));
    List<String> arguments = new ArrayList<>(List.of("trainer"));
    arguments.addAll(global);
    given.forEach((name, value) -> arguments.addAll(List.of("--" + name, value)));
    return arguments;
  }

  private List<String> filled(Training training, List<String> global) {
    Map<String, String> places =
        Map.of(
            "{run}", training.run,
            "{kafka}", global.get(global.indexOf("--kafka") + 1),
            "{steps}", Long.toString(training.steps),
            "{seed}", Integer.toString(training.seed),
            "{eval-every}", Long.toString(training.evalEvery),
            "{checkpoints}", training.checkpoints.toString(),
            "{from}", training.from.map(Path::toString).orElse(""));
    return command.stream()
        .map(
            word -> {
              String filled = word;
              for (Map.Entry<String, String> place : places.entrySet()) {
                filled = filled.replace(place.getKey(), place.getValue());
              }
              return filled;
            })
        .toList();
  }
}
