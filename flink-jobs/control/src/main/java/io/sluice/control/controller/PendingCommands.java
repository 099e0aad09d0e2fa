package io.sluice.control.controller;

import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.CommandWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.Command;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.Limits;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Commands that the log has not answered yet, oldest first. */
final class PendingCommands {
  private static final int MAX_PENDING = 64;

  /** As many as a fold remembers to have answered; an answer says that those before it are, too. */
  private static final int MAX_REFUSED = 1_024;

  private final StoredQueue<RunCommand> queue;

  /** Ids of commands that came while as many waited as may: the log answers them in turn. */
  private final StoredQueue<String> refused;

  /**
   * The commands that were kept.
   *
   * @param parts everything in the store
   */
  PendingCommands(RunStore store, Map<String, byte[]> parts) {
    this.queue =
        new StoredQueue<>(
            store, "command/", parts, bytes -> WireCodec.decode(RunCommand.class, bytes));
    this.refused =
        new StoredQueue<>(
            store, "refused/", parts, bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * Takes a command, unless the log could never answer it, which is noted.
   *
   * @param log the run's, null while it has none
   * @param old whether it was asked before this instance began
   */
  void take(RunCommand command, @Nullable PersistedRun log, boolean old, RunJournal notes) {
    if (command.getBody() instanceof ApplyRun asked) {
      apply(command, asked, log, notes);
      return;
    }
    try {
      if (log == null || isOpen(command, log.state())) {
        if (old && queue.size() >= MAX_PENDING) {
          // Those that are not answered are the newest, and a start without state reads them all.
          dropFirst();
        }
        add(command);
      } else if (old && isAnsweredInOrder(command, log.state())) {
        queue.takeIf(asked -> !(asked.getBody() instanceof ApplyRun));
      }
    } catch (IllegalArgumentException e) {
      refuse(command, String.valueOf(e.getMessage()), notes);
    }
  }

  /** Whether a command has to wait until others are answered. */
  private boolean isFull() {
    return queue.size() >= MAX_PENDING || refused.size() > 0;
  }

  /** Whether a command starts or ends the run, and none that waits does so in the same way. */
  private boolean isFirstOrLast(RunCommand command) {
    if (command.getBody() instanceof ApplyRun) {
      return true;
    }
    return command.getBody() instanceof ChangeRunState end
        && (asksForDeletion(command) || end.getState().equals(RunPhase.FAILED.wireName()))
        && all().stream()
            .noneMatch(
                asked ->
                    asked.getBody() instanceof ChangeRunState other
                        && other.getState().equals(end.getState()));
  }

  private void dropFirst() {
    boolean[] dropped = new boolean[1];
    queue.takeIf(
        asked -> {
          boolean first = !dropped[0] && !(asked.getBody() instanceof ApplyRun);
          dropped[0] |= first;
          return first;
        });
  }

  /**
   * Whether the log has answered a command, and thereby all that were asked before it, also those
   * whose answers the fold no longer knows. A part of the job that cannot go on asks for the end
   * again and again under one id, which says nothing of what came before.
   */
  private static boolean isAnsweredInOrder(RunCommand command, RunState state) {
    boolean end =
        command.getBody() instanceof ChangeRunState change
            && change.getState().equals(RunPhase.FAILED.wireName());
    return !end && state.hasApplied(command.getCommandId());
  }

  private void apply(
      RunCommand command, ApplyRun asked, @Nullable PersistedRun log, RunJournal notes) {
    Optional<RunSpec> current =
        log == null ? start().map(ApplyRun::getSpec) : Optional.of(log.spec());
    if (current.isPresent()) {
      if (!RunSpecs.asAsked(current.get()).equals(RunSpecs.asAsked(asked.getSpec()))) {
        refuse(
            command,
            command.getRunId() + " has another specification already; a changed one is a new run",
            notes);
      }
      return;
    }
    notes.name(asked.getSpec().getRun());
    try {
      add(command);
      notes.recover();
    } catch (IllegalArgumentException e) {
      notes.fail(String.valueOf(e.getMessage()));
    }
  }

  /** Asks for what its emitter would ask for if it noticed first: the run's end. */
  void fail(String runId, String reason, long now) {
    RunCommand failure = CommandWire.failure(runId, reason, now);
    if (all().stream().noneMatch(asked -> asked.getCommandId().equals(failure.getCommandId()))) {
      add(failure);
    }
  }

  private void add(RunCommand command) {
    CommandWire.requireBounded(command);
    if (command.getBody() instanceof ApplyRun apply) {
      start(command.getRunId(), resolved(apply));
    } else if (command.getBody() instanceof ChangeRunState change) {
      CommandWire.phase(change);
    }
    if (isFull() && !isFirstOrLast(command)) {
      if (refused.size() >= MAX_REFUSED) {
        refused.removeFirst();
      }
      refused.add(command.getCommandId().getBytes(StandardCharsets.UTF_8));
    } else {
      queue.add(WireCodec.encode(command));
    }
  }

  /**
   * Whether the log has not answered a command, and something can come of it.
   *
   * @throws IllegalArgumentException if the run has ended
   */
  static boolean isOpen(RunCommand command, RunState state) {
    boolean applied = state.hasApplied(command.getCommandId());
    if (!(command.getBody() instanceof ChangeRunState change)) {
      return !applied;
    }
    RunPhase asked = CommandWire.phase(change);
    boolean possible = state.phase().canBecome(asked);
    // Whoever notices that a run cannot go on may do so after its end.
    if (!applied && !possible && asked != RunPhase.FAILED) {
      throw new IllegalArgumentException("the run has ended: it is " + state.phase().wireName());
    }
    return !applied && possible;
  }

  /**
   * The entry that starts a run as it was asked for.
   *
   * @throws IllegalArgumentException if there can be no such run
   */
  static ControlEntry start(String runId, ApplyRun apply) {
    var settings = RunSpecs.settings(apply.getSpec());
    EntryDigests digests =
        apply.getOwnLog() && apply.getLogDigests()
            ? EntryDigests.basedOn(EntryDigests.NOTHING)
            : EntryDigests.NONE;
    if (apply.getOrigin() == null) {
      return GrantPlanner.start(runId, settings, "applied").with(digests);
    }
    String why = "forked from " + apply.getOrigin().getRunId();
    return GrantPlanner.start(
            runId,
            settings,
            Snapshots.read(apply.getOrigin().getSnapshot()),
            why + " at batch " + apply.getOrigin().getSnapshot().getBatch())
        .with(digests);
  }

  boolean isEmpty() {
    return queue.size() == 0 && refused.size() == 0;
  }

  /** What the run is asked to be started with. */
  Optional<ApplyRun> start() {
    for (RunCommand command : all()) {
      if (command.getBody() instanceof ApplyRun apply) {
        return Optional.of(apply);
      }
    }
    return Optional.empty();
  }

  /**
   * Whether whoever asked for the run has asked for its deletion since.
   *
   * @param before whether it was so before: what asked for the run may be answered by now
   */
  boolean isWithdrawn(boolean before) {
    boolean asked = before;
    for (RunCommand command : all()) {
      if (command.getBody() instanceof ApplyRun) {
        asked = true;
      } else if (asked && asksForDeletion(command)) {
        return true;
      }
    }
    return false;
  }

  /**
   * What people are told of a run that is withdrawn.
   *
   * @param openedMillis when this instance began: what was asked for before may have had a log
   */
  String withdrawn(long openedMillis) {
    boolean old = all().stream().anyMatch(command -> command.getTimeMillis() < openedMillis);
    return (old ? "deleted, or " : "") + "withdrawn before it was started";
  }

  static boolean asksForDeletion(RunCommand command) {
    return command.getBody() instanceof ChangeRunState change
        && change.getState().equals(RunPhase.DELETED.wireName());
  }

  /** The log of the run that is asked for. */
  static RunLog log(ApplyRun apply) {
    return apply.getOwnLog() ? RunLog.OWN : RunLog.SHARED;
  }

  /** Whether a start in this log can be the run's: who asks for it says which one it has. */
  boolean mayStartIn(RunLog log) {
    return start().map(asked -> log(asked) == log).orElse(true);
  }

  /**
   * With everything that the policy determines.
   *
   * @throws IllegalArgumentException if there can be no such run
   */
  static ApplyRun resolved(ApplyRun apply) {
    return ApplyRun.newBuilder(apply).setSpec(RunSpecs.complete(apply.getSpec())).build();
  }

  /**
   * What is asked of the started run.
   *
   * @param log the run's
   * @param measured what its rounds need already
   * @param trainers who would have to measure for another policy
   */
  List<Command> asked(PersistedRun log, List<String> measured, TrainerRegistry trainers) {
    List<Command> asked = new ArrayList<>();
    for (RunCommand command : all()) {
      if (!(command.getBody() instanceof ApplyRun)) {
        asked.add(read(command, log, measured, trainers));
      }
    }
    String reason = "at most " + MAX_PENDING + " commands of a run may wait";
    refused.all().forEach(id -> asked.add(new Command.Unreadable(id, reason)));
    return asked;
  }

  private static Command read(
      RunCommand command, PersistedRun log, List<String> measured, TrainerRegistry trainers) {
    try {
      long granted = log.state().position().granted();
      Command read = CommandWire.read(command, log.spec(), granted);
      if (command.getBody() instanceof ReviseRun revise) {
        log.requireBase(revise.getBasedOnSerial());
      }
      Optional<RunSpec> wanted = CommandWire.spec(command, granted).map(RunSpecs::complete);
      return read instanceof Command.Revise revise && wanted.isPresent()
          ? requireMeasured(revise, measured, wanted.get(), trainers)
          : read;
    } catch (IllegalArgumentException e) {
      return new Command.Unreadable(command.getCommandId(), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Refuses a policy that would wait for ever for what the attached trainers do not measure; where
   * some do not say what they measure, the answer names one.
   */
  private static Command requireMeasured(
      Command.Revise asked, List<String> measured, RunSpec wanted, TrainerRegistry trainers) {
    List<String> needed = wanted.getMetrics().stream().map(RequiredMetric::getName).toList();
    List<String> more = new ArrayList<>(needed);
    more.removeAll(measured);
    String lacking = trainers.declaredWithout(more);
    if (!lacking.isEmpty()) {
      throw new IllegalArgumentException(
          "policy "
              + wanted.getPolicy()
              + " needs "
              + needed
              + ", and "
              + lacking
              + ": attach trainers that do, then ask again");
    }
    String silent = more.isEmpty() ? "" : trainers.silent();
    return silent.isEmpty()
        ? asked
        : asked.because(
            asked.reason()
                + "; policy "
                + wanted.getPolicy()
                + " needs "
                + needed
                + ", and "
                + silent
                + ": until that is reported, its rounds wait");
  }

  /**
   * The specification that a command brings; empty if it leaves the run's.
   *
   * @param granted the run's last granted batch
   */
  Optional<RunSpec> spec(String commandId, long granted) {
    return all().stream()
        .filter(command -> command.getCommandId().equals(commandId))
        .findFirst()
        .flatMap(command -> CommandWire.spec(command, granted))
        .map(RunSpecs::complete);
  }

  /**
   * Drops what the log has answered, what was asked before that, and what can no longer come, which
   * is noted.
   */
  void follow(RunState state, RunJournal notes) {
    int[] before = {0};
    int place = 0;
    for (RunCommand command : all()) {
      place++;
      before[0] = isAnsweredInOrder(command, state) ? place : before[0];
    }
    queue.takeIf(
        command ->
            before[0]-- > 0
                || command.getBody() instanceof ApplyRun
                || isClosed(command, state, notes));
    refused.takeIf(state::hasApplied);
  }

  private static boolean isClosed(RunCommand command, RunState state, RunJournal notes) {
    try {
      return !isOpen(command, state);
    } catch (IllegalArgumentException e) {
      refuse(command, String.valueOf(e.getMessage()), notes);
      return true;
    }
  }

  private static void refuse(RunCommand command, String reason, RunJournal notes) {
    notes.refuse("command " + Limits.shown(command.getCommandId()) + ": " + reason);
  }

  private List<RunCommand> all() {
    return queue.all();
  }
}
