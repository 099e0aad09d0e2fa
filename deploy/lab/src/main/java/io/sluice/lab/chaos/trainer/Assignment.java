package io.sluice.lab.chaos.trainer;

import io.sluice.lab.chaos.history.MachineClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Arguments of a scripted trainer's process.
 *
 * @param metric that is reported after every step; '' for none
 * @param pace time between two batches
 * @param hurried the last batch without such a pause
 * @param clock that journal and history have their times from
 */
record Assignment(
    String bootstrapServers,
    String prefix,
    String runId,
    Path journal,
    String metric,
    Duration pace,
    long hurried,
    MachineClock clock) {
  List<String> arguments() {
    return List.of(
        bootstrapServers,
        prefix,
        runId,
        journal.toString(),
        metric,
        Long.toString(pace.toMillis()),
        Long.toString(hurried),
        Long.toString(clock.zeroMillis()));
  }

  static Assignment parse(String[] args) {
    return new Assignment(
        args[0],
        args[1],
        args[2],
        Path.of(args[3]),
        args[4],
        Duration.ofMillis(Long.parseLong(args[5])),
        Long.parseLong(args[6]),
        new MachineClock(Long.parseLong(args[7])));
  }
}
