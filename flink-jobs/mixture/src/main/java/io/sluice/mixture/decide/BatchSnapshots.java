package io.sluice.mixture.decide;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.log.LogSummary;
import io.sluice.mixture.log.RunProgress;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.mixture.plan.LaneShare;
import java.util.ArrayList;
import java.util.List;

/**
 * A run's log, folded so that it can be asked for the run's state as of the end of any granted
 * batch: what a rewind or a fork begins with, and what an audit holds it against.
 *
 * <p>The state as of batch B is that of the current lineage, with everything that governs batch B +
 * 1 and was decided from what B batches can tell: the rounds of steps up to B stand, also where
 * their decision was to come into force only after more batches (a rewind lets it do so at once);
 * what people changed when B was the last granted batch stands too, the newest wins; a drain does
 * not. To undo such a change, go back to the batch before.
 */
public final class BatchSnapshots {
  private final RunState state;
  private final long last;

  /** Entries that something in the current lineage still follows from. */
  private final List<ControlEntry> lineage = new ArrayList<>();

  /**
   * The state as of a batch.
   *
   * @param settings then
   * @param settingsSerial of an entry that says them: the run's first, a revision, or a summary of
   *     the log that this was read from
   * @param timeline that owns the batch
   */
  public record Past(RunSettings settings, long settingsSerial, int timeline, Snapshot snapshot) {}

  /**
   * A log of one entry, which can be asked for every batch.
   *
   * @param offset of the entry in the log
   */
  public BatchSnapshots(ControlEntry start, long offset) {
    this(start, offset, Long.MAX_VALUE);
  }

  /**
   * A log that is read from an entry on, for who asks for batches up to one. What was granted later
   * is not kept.
   *
   * @param first the run's first entry; or a summary, for batches at or after its own
   * @param last the last batch that is asked for
   */
  public BatchSnapshots(ControlEntry first, long offset, long last) {
    this.last = last;
    state =
        first.body() instanceof LogSummary
            ? RunState.adopted(first, offset)
            : RunState.started(first, offset);
    lineage.add(first);
  }

  /**
   * Applies the entry if it is the next one.
   *
   * @return whether it was
   */
  public boolean apply(ControlEntry entry, long offset) {
    int timeline = state.position().timeline();
    if (!state.apply(entry, offset)) {
      return false;
    }
    if (entry.body() instanceof Revised revised) {
      if (entry.timeline() != timeline) {
        long batch = revised.snapshot().batch();
        lineage.removeIf(old -> isGone(old, batch));
      }
      lineage.add(entry);
    } else if (entry.body() instanceof Grant grant
        && (grant.after() < last || stands(grant, last))) {
      lineage.add(entry);
    }
    return true;
  }

  /** Whether nothing at or before the batch follows from an entry. */
  private static boolean isGone(ControlEntry entry, long batch) {
    if (!(entry.body() instanceof Grant)) {
      return !(entry.body() instanceof Started) && snapshot(entry).batch() > batch;
    }
    return entry.body() instanceof Grant grant && grant.after() >= batch && !stands(grant, batch);
  }

  private static boolean stands(Grant grant, long batch) {
    return grant.decision().isPresent() && grant.decision().get().step() <= batch;
  }

  /** The state after the last entry. */
  public RunState state() {
    return state;
  }

  /**
   * The state as of the end of a batch.
   *
   * @throws IllegalArgumentException if the batch is not granted, or the run began after it
   */
  public Past asOf(long batch) {
    long granted = state.position().granted();
    int base = -1;
    for (int i = 0; i < lineage.size(); i++) {
      if (lineage.get(i).body() instanceof Grant) {
        continue;
      }
      base = snapshot(lineage.get(i)).batch() <= batch ? i : base;
    }
    if (batch > granted || base < 0) {
      throw new IllegalArgumentException(
          "batch must be in [" + snapshot(lineage.get(0)).batch() + ", " + granted + "]: " + batch);
    }
    ControlEntry from = lineage.get(base);
    RunProgress progress = new RunProgress(state.planVersion(), snapshot(from));
    for (ControlEntry entry : lineage.subList(base + 1, lineage.size())) {
      if (!(entry.body() instanceof Grant grant)) {
        break;
      }
      if (grant.after() < batch) {
        progress.take(grant, batch);
      } else if (stands(grant, batch)) {
        progress.decide(grant);
      }
    }
    progress.drainTo = 0;
    return new Past(
        settings(from), from.serial(), state.lineage().owner(batch), progress.snapshot());
  }

  /**
   * What a rewind to a batch begins with.
   *
   * @param skippedTo last batch whose data is passed over; {@code batch} when none is
   * @throws IllegalArgumentException if the batches are not granted in this order
   */
  public Past rewound(long batch, long skippedTo) {
    if (skippedTo < batch) {
      throw new IllegalArgumentException(
          "skipped batches must be after batch " + batch + ": up to " + skippedTo);
    }
    Past past = asOf(batch);
    RunProgress progress = new RunProgress(state.planVersion(), past.snapshot());
    Snapshot skipped = asOf(skippedTo).snapshot();
    progress.ordinals =
        LaneShare.resized(
            skipped.ordinals(), skipped.decided().size(), past.snapshot().decided().size());
    Revisions.passOverHeard(progress, past.settings(), state.heardTo());
    return new Past(past.settings(), past.settingsSerial(), past.timeline(), progress.snapshot());
  }

  /**
   * What a fork of the run begins with.
   *
   * @param settings of the fork
   * @throws IllegalArgumentException if the batch is not granted, or the settings cannot continue
   *     the run's
   */
  public Past forked(long batch, RunSettings settings) {
    Past past = asOf(batch);
    return new Past(
        settings,
        past.settingsSerial(),
        past.timeline(),
        Revisions.forked(past.settings(), past.snapshot(), settings));
  }

  private static Snapshot snapshot(ControlEntry entry) {
    if (entry.body() instanceof LogSummary summary) {
      return summary.snapshot();
    }
    return entry.body() instanceof Revised revised
        ? revised.snapshot()
        : ((Started) entry.body()).snapshot();
  }

  private static RunSettings settings(ControlEntry entry) {
    if (entry.body() instanceof LogSummary summary) {
      return summary.settings();
    }
    return entry.body() instanceof Revised revised
        ? revised.settings()
        : ((Started) entry.body()).settings();
  }
}
