package io.sluice.jobs.simulation;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The control log of all runs, at offsets with gaps. */
final class ControlLog {
  private final TreeMap<Long, byte[]> records = new TreeMap<>();

  /** Where an instance that has read nothing stands. */
  static final long START = -1;

  /** A record and its offset. */
  record Logged(long offset, ControlRecord record) {}

  /** Appends it, after a gap as transactions leave it. */
  Logged append(ControlRecord record, Random random) {
    long last = records.isEmpty() ? 0 : records.lastKey();
    long offset = last + 1 + random.nextInt(3);
    records.put(offset, WireCodec.encode(record));
    return new Logged(offset, record);
  }

  /** The next record after an offset; null at the end. */
  @Nullable Logged after(long offset) {
    Map.Entry<Long, byte[]> next = records.higherEntry(offset);
    return next == null
        ? null
        : new Logged(next.getKey(), WireCodec.decode(ControlRecord.class, next.getValue()));
  }

  /** Any record that was written so far; null if there is none. */
  @Nullable ControlRecord any(Random random) {
    if (records.isEmpty()) {
      return null;
    }
    List<byte[]> all = new ArrayList<>(records.values());
    return WireCodec.decode(ControlRecord.class, all.get(random.nextInt(all.size())));
  }
}
