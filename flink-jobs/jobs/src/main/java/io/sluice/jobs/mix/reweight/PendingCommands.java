package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.control.RunSpecs;
import io.sluice.mixture.control.Inputs.PhaseCommand;
import io.sluice.mixture.control.RunPhase;
import io.sluice.mixture.control.RunState;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.RunCommand;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Commands that the log has not answered yet, oldest first. */
final class PendingCommands {
  private static final Set<RunPhase> COMMANDED =
      EnumSet.of(
          RunPhase.RUNNING, RunPhase.PAUSED, RunPhase.STOPPED, RunPhase.FAILED, RunPhase.DELETED);
  private static final int MAX_PENDING = 64;
  private static final int MAX_ID = 128;

  private final StoredQueue queue;

  /**
   * The commands that were kept.
   *
   * @param parts everything in the store
   */
  PendingCommands(DeskStore store, Map<String, byte[]> parts) {
    this.queue = new StoredQueue(store, "command/", parts);
  }

  /**
   * Takes a command.
   *
   * @throws IllegalArgumentException if it asks for something that cannot be
   */
  void add(RunCommand command) {
    String id = command.getCommandId();
    if (id.isEmpty() || id.length() > MAX_ID) {
      throw new IllegalArgumentException(
          "commandId must have 1 to " + MAX_ID + " characters: " + id.length());
    }
    if (command.getBody() instanceof ApplyRun apply) {
      RunSpecs.settings(apply.getSpec());
    } else {
      phase(command);
    }
    if (queue.size() >= MAX_PENDING) {
      throw new IllegalArgumentException(
          "at most " + MAX_PENDING + " commands of a run may wait: " + (queue.size() + 1));
    }
    queue.add(WireCodec.encode(command));
  }

  boolean isEmpty() {
    return queue.size() == 0;
  }

  /** What the run is to be started with. */
  Optional<ApplyRun> start() {
    for (RunCommand command : all()) {
      if (command.getBody() instanceof ApplyRun apply) {
        return Optional.of(apply);
      }
    }
    return Optional.empty();
  }

  List<PhaseCommand> phases() {
    List<PhaseCommand> phases = new ArrayList<>();
    for (RunCommand command : all()) {
      if (command.getBody() instanceof ChangeRunState change) {
        phases.add(new PhaseCommand(command.getCommandId(), phase(command), change.getReason()));
      }
    }
    return phases;
  }

  /** Drops what the log has answered. */
  void follow(RunState state) {
    queue.removeIf(
        bytes -> {
          RunCommand command = WireCodec.decode(RunCommand.class, bytes);
          return command.getBody() instanceof ApplyRun
              || state.hasApplied(command.getCommandId())
              || !state.phase().canBecome(phase(command));
        });
  }

  /**
   * What a command asks for that does not start a run.
   *
   * @throws IllegalArgumentException if nobody can ask for it
   */
  static RunPhase phase(RunCommand command) {
    String state = ((ChangeRunState) command.getBody()).getState();
    return COMMANDED.stream()
        .filter(phase -> phase.wireName().equals(state))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "state must be one of "
                        + COMMANDED.stream().map(RunPhase::wireName).toList()
                        + ": '"
                        + state
                        + "'"));
  }

  private List<RunCommand> all() {
    return queue.all().stream().map(b -> WireCodec.decode(RunCommand.class, b)).toList();
  }
}
