package io.sluice.jobs.simulation;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A run's own log, whose broker may lose its end with its power. */
final class CutLog {
  private final List<byte[]> values = new ArrayList<>();
  private final Set<List<Object>> lost = new HashSet<>();

  /**
   * Appends it. What is sent again after it was lost does not come to lie where it was: readers
   * that had it could not tell whether another had taken its turn meanwhile.
   */
  void append(ControlRecord record) {
    byte[] value = WireCodec.encode(record);
    if (lost.contains(List.of(end(), EntryDigest.of(value)))) {
      values.add(WireCodec.encode(ControlRecord.newBuilder(record).setRunId("another").build()));
    }
    values.add(value);
  }

  /** Where the next record will be. */
  int end() {
    return values.size();
  }

  byte[] value(int offset) {
    return values.get(offset);
  }

  ControlRecord record(int offset) {
    return WireCodec.decode(ControlRecord.class, value(offset));
  }

  /** Loses its last records, but never its start. */
  void cut(int records) {
    for (int left = Math.min(records, values.size() - 1); left > 0; left--) {
      byte[] value = values.remove(values.size() - 1);
      lost.add(List.of(end(), EntryDigest.of(value)));
    }
  }
}
