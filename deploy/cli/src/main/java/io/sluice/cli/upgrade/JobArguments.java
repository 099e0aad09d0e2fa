package io.sluice.cli.upgrade;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.Topics;
import java.util.List;
import java.util.Optional;

/** What a job is started with, its kind first. */
record JobArguments(List<String> words) {
  JobArguments {
    words = List.copyOf(words);
  }

  /**
   * The job that they start.
   *
   * @throws BadInputException if they start none
   */
  JobName name() {
    String kind = words.isEmpty() ? "" : words.get(0);
    return switch (kind) {
      case "mix" -> JobName.MIX;
      case "prepare" -> new JobName(kind, required("--dataset"));
      case "refine" -> new JobName(kind, required("--refinery"));
      default ->
          throw new BadInputException(
              "arguments must begin with mix, prepare or refine: '" + kind + "'");
    };
  }

  /**
   * Checks that they start a job.
   *
   * @throws BadInputException if it is another
   */
  void requireOf(String flinks, String shown) {
    JobName started = name();
    if (!started.flinks().equals(flinks)) {
      throw new BadInputException(
          "--job must be the job that the arguments start, '%s': %s"
              .formatted(started.text(), shown));
    }
  }

  /**
   * Names of the topics that the job has.
   *
   * @throws BadInputException if they cannot be
   */
  Topics topics() {
    String prefixes = value("--prefix").orElse(Topics.standard().prefix());
    try {
      return Topics.of(prefixes);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--prefix of the arguments: " + e.getMessage(), e);
    }
  }

  private String required(String option) {
    return value(option)
        .filter(value -> !value.isBlank())
        .orElseThrow(
            () ->
                new BadInputException(
                    "arguments of %s must have %s: %s"
                        .formatted(words.get(0), option, ShellWords.line(words))));
  }

  private Optional<String> value(String option) {
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      if (word.startsWith(option + "=")) {
        return Optional.of(word.substring(option.length() + 1));
      }
      if (word.equals(option) && i + 1 < words.size()) {
        return Optional.of(words.get(i + 1));
      }
    }
    return Optional.empty();
  }
}
