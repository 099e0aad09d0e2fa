package io.sluice.jobs.mix.reweight;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A control log in memory, at offsets with gaps. */
final class TestingLog {
  private final TreeMap<Long, byte[]> records = new TreeMap<>();

  long append(ControlRecord record) {
    long offset = records.isEmpty() ? 5 : records.lastKey() + 3;
    records.put(offset, WireCodec.encode(record));
    return offset;
  }

  Map.Entry<Long, byte[]> after(long offset) {
    return records.higherEntry(offset);
  }

  int size() {
    return records.size();
  }

  List<ControlRecord> all() {
    List<ControlRecord> all = new ArrayList<>();
    records.values().forEach(bytes -> all.add(WireCodec.decode(ControlRecord.class, bytes)));
    return all;
  }

  /** Grants that apply: each the first with its serial, since tests write none out of place. */
  List<MixtureGrant> grants() {
    TreeMap<Long, MixtureGrant> grants = new TreeMap<>();
    for (ControlRecord record : all()) {
      if (record.getBody() instanceof MixtureGrant grant) {
        grants.putIfAbsent(record.getSerial(), grant);
      }
    }
    return List.copyOf(grants.values());
  }
}
