package io.sluice.control.controller;

import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A control log in memory, at offsets with gaps. */
public final class TestingLog {
  private final TreeMap<Long, byte[]> records = new TreeMap<>();

  public long append(ControlRecord record) {
    long offset = records.isEmpty() ? 5 : records.lastKey() + 3;
    records.put(offset, ControlWire.encode(record, RunLog.OWN));
    return offset;
  }

  public Map.Entry<Long, byte[]> after(long offset) {
    return records.higherEntry(offset);
  }

  /** Offsets of the records with such a body. */
  List<Long> offsets(Class<?> body) {
    List<Long> found = new ArrayList<>();
    records.forEach(
        (offset, bytes) -> {
          if (body.isInstance(WireCodec.decode(ControlRecord.class, bytes).getBody())) {
            found.add(offset);
          }
        });
    return found;
  }

  /** The record at an offset. */
  ControlRecord at(long offset) {
    return WireCodec.decode(ControlRecord.class, records.get(offset));
  }

  int size() {
    return records.size();
  }

  List<Long> offsets() {
    return List.copyOf(records.keySet());
  }

  /** Loses all but its first records, as a broker may with its power. */
  void cut(int left) {
    while (records.size() > left) {
      records.pollLastEntry();
    }
  }

  /** The fold of all records. */
  RunState state() {
    RunState[] state = new RunState[1];
    records.forEach(
        (offset, bytes) -> {
          ControlEntry entry =
              ControlWire.read(WireCodec.decode(ControlRecord.class, bytes), bytes);
          if (state[0] == null) {
            state[0] = RunState.started(entry, offset);
          } else {
            state[0].apply(entry, offset);
          }
        });
    return state[0];
  }

  public List<ControlRecord> all() {
    List<ControlRecord> all = new ArrayList<>();
    records.values().forEach(bytes -> all.add(WireCodec.decode(ControlRecord.class, bytes)));
    return all;
  }

  /** The run's past, from every record that applies. */
  BatchSnapshots past() {
    BatchSnapshots[] past = new BatchSnapshots[1];
    records.forEach(
        (offset, bytes) -> {
          ControlEntry entry =
              ControlWire.read(WireCodec.decode(ControlRecord.class, bytes), bytes);
          if (past[0] == null) {
            past[0] = new BatchSnapshots(entry, offset);
          } else {
            past[0].apply(entry, offset);
          }
        });
    return past[0];
  }

  /** Grants of the run that apply, in order. */
  public List<MixtureGrant> grants() {
    List<MixtureGrant> grants = new ArrayList<>();
    RunState[] state = new RunState[1];
    records.forEach(
        (offset, bytes) -> {
          ControlRecord record = WireCodec.decode(ControlRecord.class, bytes);
          boolean applied = false;
          if (state[0] == null) {
            state[0] = RunState.started(ControlWire.read(record, bytes), offset);
          } else {
            applied = state[0].apply(ControlWire.read(record, bytes), offset);
          }
          if (applied && record.getBody() instanceof MixtureGrant grant) {
            grants.add(grant);
          }
        });
    return grants;
  }
}
