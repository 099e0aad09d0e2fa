package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.control.ControlWire;
import io.sluice.mixture.control.LogPosition;
import io.sluice.mixture.control.RunState;
import io.sluice.mixture.control.RunStateCodec;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import java.util.Map;
import java.util.Optional;

/** The fold of a run's control log, kept together with the record that started the run. */
final class RunFold {
  private static final String STARTED = "started";
  private static final String FOLD = "fold";

  private final DeskStore store;
  private final RunSpec spec;
  private final RunState state;

  private RunFold(DeskStore store, RunSpec spec, RunState state) {
    this.store = store;
    this.spec = spec;
    this.state = state;
  }

  /**
   * The fold that was kept.
   *
   * @param parts everything in the store
   */
  static Optional<RunFold> open(DeskStore store, Map<String, byte[]> parts) {
    byte[] started = parts.get(STARTED);
    byte[] fold = parts.get(FOLD);
    if (started == null || fold == null) {
      return Optional.empty();
    }
    ControlRecord first = WireCodec.decode(ControlRecord.class, started);
    // The offset does not matter here: only the settings are taken from this state.
    RunState fresh = RunState.started(ControlWire.read(first), 0);
    return Optional.of(
        new RunFold(store, spec(first), RunStateCodec.decode(fresh.settings(), fold)));
  }

  /** Whether the record starts the run. */
  static boolean starts(ControlRecord record) {
    return LogPosition.start(record.getRunId())
        .isNext(record.getRunId(), record.getSerial(), record.getBasedOn());
  }

  /**
   * The fold of a log with one record, for which {@link #starts} holds.
   *
   * @throws RuntimeException if the record is not what starts a run
   */
  static RunFold start(DeskStore store, ControlRecord record, long offset) {
    RunState state = RunState.started(ControlWire.read(record), offset);
    store.put(STARTED, WireCodec.encode(record));
    store.put(FOLD, RunStateCodec.encode(state));
    return new RunFold(store, spec(record), state);
  }

  private static RunSpec spec(ControlRecord record) {
    return ((RunStarted) record.getBody()).getSpec();
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
    store.put(FOLD, RunStateCodec.encode(state));
    return true;
  }

  RunSpec spec() {
    return spec;
  }

  RunState state() {
    return state;
  }
}
