package io.sluice.jobs.mix.split;

import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.LogSummary;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EarlierSnapshot;
import io.sluice.schema.LogSnapshot;
import java.util.List;

/**
 * What a run's log folds to up to an entry, as far as its stream goes: who has this need not read
 * what is before.
 *
 * @param position of the entry
 * @param layout of the run then
 * @param used next ordinals, lanes × domains, lane-major
 * @param index global index of the next batch's first sequence
 * @param openings where timelines begin, the first one first
 * @param earlier snapshots of the log before this one, oldest first
 */
public record LogPrefix(
    LogPosition position,
    RunPhase phase,
    RunLayout layout,
    long[] used,
    long index,
    List<RunOutline.Opening> openings,
    List<EarlierSnapshot> earlier) {
  /** Copies the lists. */
  public LogPrefix {
    openings = List.copyOf(openings);
    earlier = List.copyOf(earlier);
  }

  /**
   * The first entry alone.
   *
   * @param start any split of the run, as of that
   */
  public static LogPrefix start(MixSplit start) {
    SplitCursor cursor = start.cursor();
    return new LogPrefix(
        cursor.control(),
        RunPhase.RUNNING,
        start.layout(),
        start.layout().lanes() == 1 ? cursor.ordinals() : cursor.used(),
        cursor.firstIndex(),
        List.of(new RunOutline.Opening(0, cursor.batch() - 1, cursor.firstIndex())),
        List.of());
  }

  /**
   * All up to a snapshot of the log, as that says.
   *
   * @param start any split of the run, as of its first entry
   * @param record that holds the snapshot
   * @param digest what the record is by content
   * @throws IllegalArgumentException if it cannot be one of this run
   */
  public static LogPrefix of(MixSplit start, ControlRecord record, long offset, long digest) {
    ControlEntry entry = ControlWire.read(record, digest);
    RunState state = RunState.adopted(entry, offset);
    LogSummary summary = (LogSummary) entry.body();
    LogSnapshot said = (LogSnapshot) record.getBody();
    List<RunOutline.Opening> openings =
        said.getOpenings().stream()
            .map(o -> new RunOutline.Opening(o.getTimeline(), o.getAfter(), o.getFirstSequence()))
            .toList();
    Snapshot snapshot = summary.snapshot();
    RunLayout layout = start.layout().revised(summary.settings());
    if (!openings.get(0).equals(start(start).openings().get(0))
        || !entry.runId().equals(start.runId())
        || snapshot.ordinals().length != layout.lanes() * layout.domains().size()) {
      throw new IllegalArgumentException(
          "the snapshot at offset " + offset + " is not of run " + start.runId() + " as it began");
    }
    return new LogPrefix(
        state.position(),
        summary.phase(),
        layout,
        snapshot.ordinals(),
        snapshot.nextSequence(),
        openings,
        said.getEarlier());
  }
}
