package io.sluice.control.controller;

import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.RunStateCodec;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import java.util.Map;
import java.util.Optional;

/**
 * The fold of a run's control log, kept together with the record that started the run, and the last
 * that revised it.
 */
final class PersistedRun {
  private static final String STARTED = "started";
  private static final String REVISED = "revised";
  private static final String FOLD = "fold";
  private static final String OWN_LOG = "own-log";
  private static final byte[] VERSION_1 = {1};

  private final RunStore store;
  private final RunLog log;
  private final String streamTopicId;
  private RunSpec spec;
  private long specSerial;
  private final RunState state;

  private PersistedRun(
      RunStore store, RunLog log, String streamTopicId, ControlRecord settled, RunState state) {
    this.store = store;
    this.log = log;
    this.streamTopicId = streamTopicId;
    this.spec = spec(settled);
    this.specSerial = settled.getSerial();
    this.state = state;
  }

  /**
   * The fold that was kept.
   *
   * @param parts everything in the store
   */
  static Optional<PersistedRun> open(RunStore store, Map<String, byte[]> parts) {
    byte[] started = parts.get(STARTED);
    byte[] fold = parts.get(FOLD);
    if (started == null || fold == null) {
      return Optional.empty();
    }
    byte[] settled = parts.getOrDefault(REVISED, started);
    ControlRecord last = WireCodec.decode(ControlRecord.class, settled);
    RunStarted first = (RunStarted) WireCodec.decode(ControlRecord.class, started).getBody();
    RunState state =
        RunStateCodec.decode(first.getPlanVersion(), RunSpecs.settings(spec(last)), fold);
    RunLog log = parts.containsKey(OWN_LOG) ? RunLog.OWN : RunLog.SHARED;
    return Optional.of(new PersistedRun(store, log, first.getStreamTopicId(), last, state));
  }

  /** Whether the record starts the run. */
  static boolean starts(ControlRecord record) {
    return LogPosition.start(record.getRunId())
        .isNext(record.getRunId(), record.getSerial(), record.getBasedOn());
  }

  /**
   * The fold of a log with one record, for which {@link #starts} holds.
   *
   * @param log that the record was read from: no other is the run's
   * @throws RuntimeException if the record is not what starts a run
   */
  static PersistedRun start(RunStore store, RunLog log, ControlRecord record, long offset) {
    RunState state = RunState.started(ControlWire.read(record), offset);
    if (log == RunLog.OWN) {
      store.put(OWN_LOG, VERSION_1);
    }
    store.put(STARTED, WireCodec.encode(record));
    store.put(FOLD, RunStateCodec.encode(state));
    return new PersistedRun(store, log, streamTopicId(record), record, state);
  }

  private static String streamTopicId(ControlRecord first) {
    return ((RunStarted) first.getBody()).getStreamTopicId();
  }

  private static RunSpec spec(ControlRecord record) {
    return record.getBody() instanceof RunRevised revised
        ? revised.getSpec()
        : ((RunStarted) record.getBody()).getSpec();
  }

  /**
   * Applies the record if it is the next one; what it says is read only then.
   *
   * @return whether it was
   * @throws RuntimeException if it is, but cannot be followed; the fold is of no use from then on
   */
  boolean apply(ControlRecord record, long offset) {
    LogPosition at = state.position();
    if (!at.isNext(record.getRunId(), record.getSerial(), record.getBasedOn())) {
      return false;
    }
    state.apply(ControlWire.read(record), offset);
    if (record.getBody() instanceof RunRevised && !spec.equals(spec(record))) {
      spec = spec(record);
      specSerial = record.getSerial();
      store.put(REVISED, WireCodec.encode(record));
    }
    store.put(FOLD, RunStateCodec.encode(state));
    return true;
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
    return streamTopicId;
  }

  RunState state() {
    return state;
  }
}
