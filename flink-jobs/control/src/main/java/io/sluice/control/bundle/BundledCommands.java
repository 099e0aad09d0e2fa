package io.sluice.control.bundle;

import io.sluice.control.history.RunHistory;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.RecordWriter;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The commands that the revisions of a run answer: an audit holds each revision against what was
 * asked. Nobody answers them again, since the log has.
 */
final class BundledCommands {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private BundledCommands() {}

  /** Those of a run, in their order. */
  static List<RunCommand> of(KafkaAccess access, RunHistory history) {
    Set<String> answered = new HashSet<>();
    history
        .entries()
        .forEach(
            entry -> {
              if (entry.body() instanceof Revised revised) {
                answered.add(revised.commandId());
              }
            });
    Map<String, RunCommand> found = new LinkedHashMap<>();
    if (!answered.isEmpty()) {
      scan(
          access,
          history.runId(),
          command -> {
            if (answered.contains(command.getCommandId())) {
              found.putIfAbsent(command.getCommandId(), plain(command));
            }
          });
    }
    return List.copyOf(found.values());
  }

  private static RunCommand plain(RunCommand command) {
    command.setRunId("");
    command.setTimeMillis(0);
    if (command.getBody() instanceof ReviseRun revise) {
      revise.setSpec(BundledLog.plain(revise.getSpec()));
      revise.setBasedOnSerial(-1);
    } else if (command.getBody() instanceof RewindRun rewind) {
      rewind.setSpec(BundledLog.plain(rewind.getSpec()));
    }
    return command;
  }

  /** Writes those that are not there yet for a run whose log has answered them. */
  static void write(KafkaAccess access, BundledLog.Named run, List<RunCommand> commands) {
    if (commands.isEmpty()) {
      return;
    }
    Map<String, RunCommand> lacking = new TreeMap<>();
    commands.forEach(command -> lacking.put(command.getCommandId(), command));
    scan(access, run.runId(), command -> lacking.remove(command.getCommandId()));
    for (RunCommand command : commands) {
      if (lacking.containsKey(command.getCommandId())) {
        RunCommand own = placed(command, run);
        RecordWriter.write(access, access.topics().runs(), run.runId(), own, PATIENCE);
      }
    }
  }

  private static RunCommand placed(RunCommand kept, BundledLog.Named run) {
    RunCommand command =
        RunCommand.newBuilder(kept)
            .setRunId(run.runId())
            .setTimeMillis(InstantSource.system().millis())
            .build();
    if (command.getBody() instanceof ReviseRun revise) {
      revise.getSpec().setRun(run.name());
    } else if (command.getBody() instanceof RewindRun rewind) {
      rewind.getSpec().setRun(run.name());
    }
    return command;
  }

  private static void scan(KafkaAccess access, String runId, Consumer<RunCommand> taker) {
    new TopicScan(access)
        .read(
            RunCommand.class,
            access.topics().runs(),
            command -> {
              if (command.getRunId().equals(runId)) {
                taker.accept(command);
              }
            });
  }
}
