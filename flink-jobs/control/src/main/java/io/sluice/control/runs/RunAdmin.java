package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunFollower;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.StatusFollower;
import io.sluice.control.history.TopicScan;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;

/** A person's hand on started runs: asks for something, and waits until the log has answered. */
public final class RunAdmin {
  private static final long PAUSE_NANOS = 100_000_000;

  private final KafkaAccess access;
  private final RunCommands commands;
  private final Duration patience;

  /**
   * A hand.
   *
   * @param patience how long MixJob may take to answer
   */
  RunAdmin(KafkaAccess access, RunCommands commands, Duration patience) {
    this.access = access;
    this.commands = commands;
    this.patience = patience;
  }

  /** A hand whose commands have random names. */
  public static RunAdmin of(KafkaAccess access, int patienceSeconds) {
    return new RunAdmin(access, commands(access), Duration.ofSeconds(patienceSeconds));
  }

  /** Commands with random names. */
  public static RunCommands commands(KafkaAccess access) {
    return new RunCommands(
        access, InstantSource.system(), () -> UUID.randomUUID().toString().substring(0, 8));
  }

  /**
   * The log of the newest run of a name, folded.
   *
   * @throws BadInputException if there is none, or it never started
   */
  public RunFold require(String run) {
    return RunLogs.of(access).fold(requireStarted(run));
  }

  /**
   * The start of the newest run of a name.
   *
   * @throws BadInputException if there is none, or it never started
   */
  public RunStart requireStarted(String run) {
    RunCatalog.Entry entry = RunCatalog.read(access).require(run);
    return entry
        .start()
        .orElseThrow(
            () -> new BadInputException("run '" + run + "' never started: " + entry.waiting()));
  }

  /**
   * Asks something of a run.
   *
   * @param run its log as far as it is read; the answer is looked for from there on
   * @throws BadInputException if it refuses
   * @throws UnreachableException if it does not answer in time
   */
  public Answer ask(RunFold run, SpecificRecordBase body) {
    try (RunFollower log = new RunFollower(access, run)) {
      String commandId = commands.send(run.runId(), body);
      ControlEntry answer =
          await(patience, () -> log.answer(commandId)).orElseThrow(() -> unanswered(run.runId()));
      if (answer.body() instanceof Refused) {
        throw new BadInputException(answer.why());
      }
      return new Answer(run, answer);
    }
  }

  /**
   * Asks for another phase of a run.
   *
   * @param state running, paused, stopped or deleted
   * @throws BadInputException if the run has ended and cannot take it
   * @throws UnreachableException if it is not in that phase in time
   */
  public void change(RunCatalog.Entry run, String state, String reason) {
    RunCatalog.Entry now = run.folded(RunLogs.of(access));
    AskedPhase asked = new AskedPhase(state);
    boolean ended = now.fold().map(fold -> fold.state().phase().ended()).orElse(false);
    if (ended && !asked.isForEnded()) {
      throw new BadInputException(
          "run '" + run.name() + "' has ended, it is " + now.phase() + ": it can only be deleted");
    }
    if (now.fold().isEmpty()) {
      change(now, asked, reason, commandId -> Optional.empty());
      return;
    }
    try (RunFollower log = new RunFollower(access, now.fold().get())) {
      change(now, asked, reason, log::answer);
    }
  }

  private void change(
      RunCatalog.Entry run,
      AskedPhase asked,
      String reason,
      Function<String, Optional<ControlEntry>> answers) {
    try (StatusFollower status = new StatusFollower(access)) {
      String commandId = commands.change(run.runId(), asked.name(), reason);
      boolean isThere = run.phase().equals(asked.name());
      Supplier<Optional<String>> look =
          () ->
              isThere || asked.hasCome(status.newest(run.runId()), answers.apply(commandId))
                  ? Optional.of(commandId)
                  : Optional.empty();
      if (await(patience, look).isEmpty()) {
        throw unanswered(run.runId());
      }
    }
  }

  /** What is seen within a time, looking again and again; empty if nothing is. */
  static <T> Optional<T> await(Duration patience, Supplier<Optional<T>> look) {
    long deadline = System.nanoTime() + patience.toNanos();
    Optional<T> seen = Optional.empty();
    while (seen.isEmpty() && System.nanoTime() < deadline) {
      seen = look.get();
      if (seen.isEmpty()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return seen;
  }

  private UnreachableException unanswered(String runId) {
    return new UnreachableException(
        "the command was written, but the control log has not answered it within "
            + patience.toSeconds()
            + " s: "
            + Optional.ofNullable(new TopicScan(access).statuses().get(runId))
                .map(status -> "the run " + status.getPhase() + ", " + status.getWaiting())
                .orElse("is MixJob running on " + access.bootstrapServers() + "?"));
  }

  /**
   * What the log says to a command.
   *
   * @param fold of the run's log, up to the answer at least
   */
  public record Answer(RunFold fold, ControlEntry entry) {
    /** The first batch that what was asked for governs. */
    public long firstBatch() {
      return entry.body() instanceof ControlEntry.Revised revised
          ? revised.snapshot().batch() + 1
          : fold.state().position().granted() + 1;
    }
  }
}
