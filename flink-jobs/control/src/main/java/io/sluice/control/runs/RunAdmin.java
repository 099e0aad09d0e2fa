package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunHistory;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
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
   * The history of the newest run of a name.
   *
   * @throws BadInputException if there is none, or it never started
   */
  public RunHistory require(String run) {
    RunCatalog.Entry entry = RunCatalog.read(access).require(run);
    return entry
        .history()
        .orElseThrow(
            () -> new BadInputException("run '" + run + "' never started: " + entry.waiting()));
  }

  /**
   * Asks something of a run.
   *
   * @return the history once it has answered
   * @throws BadInputException if it refuses
   * @throws UnreachableException if it does not answer in time
   */
  public Answer ask(RunHistory run, SpecificRecordBase body) {
    String commandId = commands.send(run.runId(), body);
    return await(
        run.runId(),
        () -> {
          RunHistory now = RunHistory.readAll(access).get(run.runId());
          return now == null
              ? Optional.empty()
              : now.answer(commandId).map(answer -> granted(now, answer));
        });
  }

  /**
   * Asks for another phase of a run.
   *
   * @param state running, paused, stopped or deleted
   * @throws BadInputException if the run has ended and cannot take it
   * @throws UnreachableException if it is not in that phase in time
   */
  public void change(RunCatalog.Entry run, String state, String reason) {
    boolean ended = run.history().map(h -> h.state().phase().ended()).orElse(false);
    if (ended && !state.equals("deleted")) {
      throw new BadInputException(
          "run '" + run.name() + "' has ended, it is " + run.phase() + ": it can only be deleted");
    }
    String commandId = commands.change(run.runId(), state, reason);
    await(
        run.runId(),
        () ->
            RunCatalog.read(access)
                .byId(run.runId())
                .filter(
                    now ->
                        now.phase().equals(state)
                            || now.history().flatMap(h -> h.answer(commandId)).isPresent()));
  }

  private <T> T await(String runId, Supplier<Optional<T>> look) {
    return await(patience, look).orElseThrow(() -> unanswered(runId));
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
            + RunCatalog.read(access)
                .byId(runId)
                .flatMap(RunCatalog.Entry::status)
                .map(status -> "the run " + status.getPhase() + ", " + status.getWaiting())
                .orElse("is MixJob running on " + access.bootstrapServers() + "?"));
  }

  private static Answer granted(RunHistory history, ControlEntry answer) {
    if (answer.body() instanceof ControlEntry.Refused) {
      throw new BadInputException(answer.why());
    }
    return new Answer(history, answer);
  }

  /**
   * What the log says to a command.
   *
   * @param history of the run, up to the answer at least
   */
  public record Answer(RunHistory history, ControlEntry entry) {
    /** The first batch that what was asked for governs. */
    public long firstBatch() {
      return entry.body() instanceof ControlEntry.Revised revised
          ? revised.snapshot().batch() + 1
          : history.state().position().granted() + 1;
    }
  }
}
