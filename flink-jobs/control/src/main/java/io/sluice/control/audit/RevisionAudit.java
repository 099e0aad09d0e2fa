package io.sluice.control.audit;

import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.TopicScan;
import io.sluice.control.wire.CommandWire;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.mixture.decide.Revisions;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.policy.UnknownPolicyException;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Repeats every revision of a run: each must be what its command comes to on the log before it, and
 * a rewind or a fork must begin with what the log was as of its batch.
 */
final class RevisionAudit {
  private final RunHistory history;
  private final Violations violations;
  private final Map<String, RunCommand> commands = new HashMap<>();

  private RevisionAudit(RunHistory history, Violations violations) {
    this.history = history;
    this.violations = violations;
  }

  /** Checks a run's revisions, and what it began with if it is a fork. */
  static void check(KafkaAccess access, RunHistory history, Violations violations) {
    RevisionAudit audit = new RevisionAudit(history, violations);
    history.origin().ifPresent(origin -> audit.origin(access, origin));
    if (history.entries().stream().anyMatch(entry -> entry.body() instanceof Revised)) {
      new TopicScan(access).read(RunCommand.class, access.topics().runs(), audit::hear);
      audit.revisions();
    }
  }

  private void hear(RunCommand command) {
    if (command.getRunId().equals(history.runId())) {
      commands.putIfAbsent(command.getCommandId(), command);
    }
  }

  private void revisions() {
    List<ControlEntry> entries = history.entries();
    BatchSnapshots fold = new BatchSnapshots(entries.get(0), 0);
    for (ControlEntry entry : entries.subList(1, entries.size())) {
      if (entry.body() instanceof Revised revised) {
        revision(fold, entry, revised);
      }
      apply(fold, entry);
    }
  }

  /** Applies an entry that the history has accepted, wherever it lay in the log. */
  private static void apply(BatchSnapshots fold, ControlEntry entry) {
    LogPosition at = fold.state().position();
    ControlEntry rebased =
        new ControlEntry(
            entry.runId(),
            entry.timeline(),
            entry.serial(),
            at.offset(),
            new EntryDigests(at.digest(), entry.digests().own()),
            entry.why(),
            entry.body());
    fold.apply(rebased, entry.serial());
  }

  private void revision(BatchSnapshots fold, ControlEntry entry, Revised revised) {
    RunCommand command = commands.get(revised.commandId());
    if (command == null) {
      violations.add(
          "log", "entry %d: nobody gave the command %s", entry.serial(), revised.commandId());
      return;
    }
    long granted = fold.state().position().granted();
    try {
      Revised asked =
          Revisions.revised(
              fold.state(), CommandWire.read(command, history.specAt(entry.serial() - 1), granted));
      masks(entry, command, granted);
      compare(entry, "its command", asked.snapshot(), revised.snapshot());
      if (entry.timeline() != fold.state().position().timeline()) {
        Snapshot past = fold.rewound(revised.snapshot().batch(), revised.skippedTo()).snapshot();
        compare(entry, "the log before it", past, revised.snapshot());
      }
    } catch (UnknownPolicyException e) {
      violations.leaveUnchecked("entry " + entry.serial(), e.missingFrom("this process"));
    } catch (IllegalArgumentException e) {
      violations.add("log", "entry %d had to be refused: %s", entry.serial(), e.getMessage());
    }
  }

  private void masks(ControlEntry entry, RunCommand command, long granted) {
    RunSpec logged = history.specAt(entry.serial());
    RunSpec wanted = CommandWire.spec(command, granted).orElse(history.specAt(entry.serial() - 1));
    if (!wanted.getMasks().equals(logged.getMasks())) {
      violations.add(
          "log",
          "entry %d: its command implies the masks %s, it has %s",
          entry.serial(),
          wanted.getMasks(),
          logged.getMasks());
    }
  }

  private void compare(ControlEntry entry, String by, Snapshot wanted, Snapshot found) {
    RunSnapshot mine = Snapshots.write(wanted);
    RunSnapshot logged = Snapshots.write(found);
    if (!mine.equals(logged)) {
      violations.add("log", "entry %d: %s implies %s, it has %s", entry.serial(), by, mine, logged);
    }
  }

  private void origin(KafkaAccess access, RunOrigin origin) {
    try {
      fork(access, origin);
    } catch (UnknownPolicyException e) {
      violations.leaveUnchecked("what the fork began with", e.missingFrom("this process"));
    }
  }

  /** The parent may have gone on since: the fork must be of what it was at some time. */
  private void fork(KafkaAccess access, RunOrigin origin) {
    Optional<RunStart> start = RunLogs.of(access).byId(origin.getRunId());
    if (start.isEmpty()) {
      violations.leaveUnchecked(
          "what the fork began with", "run " + origin.getRunId() + " is in no log here");
      return;
    }
    RunSettings own = ((ControlEntry.Started) history.entries().get(0).body()).settings();
    RunSnapshot wanted = origin.getSnapshot();
    List<ControlEntry> entries = RunHistory.read(access, start.get()).entries();
    BatchSnapshots fold = new BatchSnapshots(entries.get(0), 0);
    boolean found = matches(fold, own, wanted);
    for (int i = 1; i < entries.size() && !found; i++) {
      apply(fold, entries.get(i));
      found = matches(fold, own, wanted);
    }
    if (!found) {
      violations.add(
          "log",
          "run %s never was at batch %d what its fork began with",
          origin.getRunId(),
          wanted.getBatch());
    }
  }

  private static boolean matches(BatchSnapshots fold, RunSettings own, RunSnapshot wanted) {
    return fold.state().position().granted() >= wanted.getBatch()
        && Optional.of(fold.forked(wanted.getBatch(), own))
            .filter(past -> Snapshots.write(past.snapshot()).equals(wanted))
            .isPresent();
  }
}
