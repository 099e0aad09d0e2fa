package io.sluice.control.controller;

import io.sluice.control.snapshot.LogOutline;
import io.sluice.control.snapshot.SnapshotWriter;
import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.EntryLink;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.RunStateCodec;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fold of a run's control log, kept together with the record that started the run, or the
 * snapshot of the log that it was read from, and the last record that revised it.
 */
final class PersistedRun {
  private static final String STARTED = "started";
  private static final String REVISED = "revised";
  private static final String FOLD = "fold";
  private static final String OUTLINE = "outline";
  private static final String OWN_LOG = "own-log";
  private static final byte[] VERSION_1 = {1};

  private final RunStore store;
  private final RunLog log;
  private final LogOutline first;
  private RunSpec spec;
  private long specSerial;
  private final RunState state;
  private final @Nullable SnapshotWriter snapshots;

  private PersistedRun(
      RunStore store,
      RunLog log,
      ControlRecord begun,
      ControlRecord settled,
      RunState state,
      @Nullable SnapshotWriter snapshots) {
    this.store = store;
    this.log = log;
    this.first = LogOutline.begun(begun, 0);
    this.spec = spec(settled);
    this.specSerial = specSerial(settled);
    this.state = state;
    this.snapshots = snapshots;
  }

  /**
   * The fold that was kept.
   *
   * @param parts everything in the store
   * @param every entries from one snapshot of the log to the next
   */
  static Optional<PersistedRun> open(RunStore store, Map<String, byte[]> parts, int every) {
    byte[] started = parts.get(STARTED);
    byte[] fold = parts.get(FOLD);
    if (started == null || fold == null) {
      return Optional.empty();
    }
    ControlRecord begun = WireCodec.decode(ControlRecord.class, started);
    byte[] revised = parts.get(REVISED);
    ControlRecord last = revised == null ? begun : WireCodec.decode(ControlRecord.class, revised);
    RunState state =
        RunStateCodec.decode(
            LogOutline.begun(begun, 0).planVersion(), RunSpecs.settings(spec(last)), fold);
    RunLog log = parts.containsKey(OWN_LOG) ? RunLog.OWN : RunLog.SHARED;
    byte[] outline = parts.get(OUTLINE);
    SnapshotWriter snapshots =
        outline == null ? null : SnapshotWriter.decode(begun, spec(last), every, outline);
    return Optional.of(new PersistedRun(store, log, begun, last, state, snapshots));
  }

  /**
   * Whether the record starts the run, or says what its own log has come to: a log is read from a
   * snapshot on, if one was found in it.
   */
  static boolean starts(ControlRecord record, byte[] value, RunLog log) {
    return record.getBody() instanceof LogSnapshot
        ? log == RunLog.OWN
        : LogPosition.start(record.getRunId()).isNext(ControlWire.link(record, value));
  }

  /**
   * The fold of a log with one record, for which {@link #starts} holds.
   *
   * @param log that the record was read from: no other is the run's
   * @param value the record's bytes
   * @param every entries from one snapshot of the log to the next
   * @throws RuntimeException if the record is not what starts a run
   */
  static PersistedRun start(
      RunStore store, RunLog log, ControlRecord record, long offset, byte[] value, int every) {
    ControlEntry entry = ControlWire.read(record, value);
    RunState state =
        record.getBody() instanceof LogSnapshot
            ? RunState.adopted(entry, offset)
            : RunState.started(entry, offset);
    SnapshotWriter snapshots = null;
    if (log == RunLog.OWN) {
      store.put(OWN_LOG, VERSION_1);
      snapshots = SnapshotWriter.begun(record, offset, value, every);
      store.put(OUTLINE, snapshots.encode());
    }
    store.put(STARTED, WireCodec.encode(record));
    store.put(FOLD, RunStateCodec.encode(state));
    return new PersistedRun(store, log, record, record, state, snapshots);
  }

  private static RunSpec spec(ControlRecord record) {
    if (record.getBody() instanceof LogSnapshot snapshot) {
      return snapshot.getSpec();
    }
    return record.getBody() instanceof RunRevised revised
        ? revised.getSpec()
        : ((RunStarted) record.getBody()).getSpec();
  }

  private static long specSerial(ControlRecord settled) {
    if (settled.getBody() instanceof LogSnapshot snapshot) {
      return snapshot.getGoverning().stream()
          .mapToLong(GoverningEntry::getSerial)
          .max()
          .orElse(settled.getSerial());
    }
    return settled.getSerial();
  }

  /**
   * Applies the record if it is the next one; what it says is read only then.
   *
   * @param value the record's bytes
   * @return whether it was
   * @throws RuntimeException if it is, but cannot be followed; the fold is of no use from then on
   */
  boolean apply(ControlRecord record, long offset, byte[] value) {
    if (!state.position().isNext(ControlWire.link(record, value))
        || (log == RunLog.SHARED && record.getBody() instanceof LogSnapshot)) {
      return false;
    }
    state.apply(ControlWire.read(record, value), offset);
    if (record.getBody() instanceof RunRevised && !spec.equals(spec(record))) {
      spec = spec(record);
      specSerial = record.getSerial();
      store.put(REVISED, WireCodec.encode(record));
    }
    if (snapshots != null) {
      snapshots.accept(record, offset, value);
      store.put(OUTLINE, snapshots.encode());
    }
    store.put(FOLD, RunStateCodec.encode(state));
    return true;
  }

  /** Whether the log's next entry is to be a snapshot of it. */
  boolean isSnapshotDue() {
    return snapshots != null && state.phase() != RunPhase.DELETED && snapshots.isDue();
  }

  /**
   * The snapshot of the log, as its next entry.
   *
   * @return empty if the log has no room for it
   */
  Optional<ControlRecord> snapshot(String writer, long now) {
    return snapshots == null ? Optional.empty() : snapshots.next(state, writer, now);
  }

  /** The batch that the run begins after. */
  long begins() {
    return first.begins();
  }

  /**
   * The fold of what is left of the run's own log, which is read from its start again.
   *
   * @throws RuntimeException if the record is not what starts a run
   */
  static PersistedRun restart(
      RunStore store, ControlRecord record, long offset, byte[] value, int every) {
    store.remove(REVISED);
    return start(store, RunLog.OWN, record, offset, value, every);
  }

  /**
   * Why the log is not the one that was folded: its tail is gone, and perhaps something else there.
   * Offsets only grow, and no state is older than where reading goes on from it.
   *
   * @param from what has the record, which says nothing if it is another log
   */
  Optional<String> lost(ControlRecord record, RunLog from, long offset, byte[] value) {
    if (log != from) {
      return Optional.empty();
    }
    LogPosition at = state.position();
    EntryLink entry = ControlWire.link(record, value);
    if (offset <= at.offset() && (log == RunLog.OWN || at.isNext(entry))) {
      return Optional.of(at.lost("and offset " + offset + " is read after it"));
    }
    if (at.digest() != null) {
      return state.phase().canBecome(RunPhase.FAILED) ? at.loss(entry, offset) : Optional.empty();
    }
    return record.getBasedOn() == at.offset() && record.getSerial() != at.serial() + 1
        ? Optional.of(at.lost("and entry " + record.getSerial() + " is said to follow it"))
        : Optional.empty();
  }

  /**
   * Whether the run's end can be the next entry after one at this offset, which shows that the tail
   * is lost: whoever has folded other entries learns from its digest that those are not the log's.
   */
  boolean goesOn(long offset) {
    return state.position().digest() != null && offset > state.position().offset();
  }

  /** Where the run's entries are. */
  RunLog log() {
    return log;
  }

  /** What the run was started with, or last went over to. */
  RunSpec spec() {
    return spec;
  }

  /**
   * Checks that a specification was made from the run's own.
   *
   * @param serial of the last entry that whoever made it had read; −1: not known
   * @throws IllegalArgumentException if another specification came after it
   */
  void requireBase(long serial) {
    if (serial >= 0 && serial < specSerial) {
      throw new IllegalArgumentException(
          "the specification was changed meanwhile, by entry "
              + specSerial
              + " of the control log: this change is based on entry "
              + serial
              + ", look at the run again");
    }
  }

  /** Kafka's id of the stream's topic; '' when it is not known. */
  String streamTopicId() {
    return first.streamTopicId();
  }

  RunState state() {
    return state;
  }
}
