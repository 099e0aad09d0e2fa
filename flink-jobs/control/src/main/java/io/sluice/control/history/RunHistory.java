package io.sluice.control.history;

import io.sluice.control.error.BadInputException;
import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The accepted entries of a run's control log, and what they fold to. Every count of every granted
 * batch is in memory: who needs the state alone takes a {@link RunFold}.
 */
public final class RunHistory {
  private final List<ControlEntry> entries;
  private final BatchSnapshots past;
  private final RunFold fold;

  private RunHistory(List<ControlEntry> entries, BatchSnapshots past, RunFold fold) {
    this.entries = entries;
    this.past = past;
    this.fold = fold;
  }

  /**
   * The history of the run that was last started under a name.
   *
   * @throws BadInputException if there is none; the message names those there are
   */
  public static RunHistory read(KafkaAccess access, String run) {
    return read(access, RunLogs.of(access).require(run));
  }

  /** The history of a run that has started. */
  public static RunHistory read(KafkaAccess access, RunStart start) {
    return read(RunLogs.of(access), start);
  }

  /** The same by logs wherever they are. */
  public static RunHistory read(RunLogs logs, RunStart start) {
    List<ControlEntry> entries = new ArrayList<>();
    AtomicReference<@Nullable BatchSnapshots> past = new AtomicReference<>();
    RunFold fold =
        logs.read(
            start,
            first -> {
              BatchSnapshots begun = new BatchSnapshots(first.entry(), start.offset());
              past.set(begun);
              return new RunFold(first, begun.state(), begun::apply);
            },
            entries::add);
    return new RunHistory(entries, Objects.requireNonNull(past.get()), fold);
  }

  /** The same without its entries. */
  public RunFold fold() {
    return fold;
  }

  /** Name and suffix. */
  public String runId() {
    return fold.runId();
  }

  /** What people call the run. */
  public String name() {
    return fold.name();
  }

  /** The specification that the run began with, or last went over to. */
  public RunSpec spec() {
    return fold.spec();
  }

  /** The specification in force once the entry of a serial was applied. */
  public RunSpec specAt(long serial) {
    return fold.specAt(serial);
  }

  /** The batch of another run that this one goes on from, for a fork. */
  public Optional<RunOrigin> origin() {
    return Optional.ofNullable(((RunStarted) fold.first().getBody()).getOrigin());
  }

  /** The run's state as of any granted batch. */
  public BatchSnapshots past() {
    return past;
  }

  /** The accepted entries, oldest first. */
  public List<ControlEntry> entries() {
    return List.copyOf(entries);
  }

  /** What they fold to. */
  public RunState state() {
    return fold.state();
  }

  /** The accepted grants, in order, those of earlier timelines included. */
  public List<Grant> grants() {
    return entries.stream()
        .map(ControlEntry::body)
        .filter(Grant.class::isInstance)
        .map(Grant.class::cast)
        .toList();
  }

  /**
   * How many sequences of each domain the batches hold that stand; of a fork those since it began.
   */
  public long[] sequences() {
    long[] sequences = new long[spec().getDomains().size()];
    for (ControlEntry entry : entries) {
      if (entry.body() instanceof Grant grant) {
        for (long batch = grant.after() + 1; batch <= grant.to(); batch++) {
          if (state().lineage().owner(batch) == entry.timeline()) {
            int[] counts = grant.countsOf(batch);
            Arrays.setAll(sequences, i -> sequences[i] + (i < counts.length ? counts[i] : 0));
          }
        }
      }
    }
    return sequences;
  }

  /** The closed rounds, in order, each with the grant that closed it. */
  public List<Grant> rounds() {
    return grants().stream().filter(grant -> grant.decision().isPresent()).toList();
  }

  /**
   * Weights and the first batch that they govern.
   *
   * @param version 1 for the first; a rewind goes back to the version of its batch
   * @param firstBatch from 1
   * @param weights before masking
   */
  public record Version(int timeline, int version, long firstBatch, Weights weights) {}

  /** Every version that governs a granted batch, oldest first. */
  public List<Version> versions() {
    List<Version> versions = new ArrayList<>();
    MixtureVersions found = new MixtureVersions();
    entries.forEach(entry -> found.next(entry).ifPresent(versions::add));
    return List.copyOf(versions);
  }
}
