package io.sluice.jobs.simulation;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.Schema;
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
    return new Logged(append(encode(record), random), record);
  }

  /** As one of the releases writes it that may run at once, if its schema has all of the record. */
  private static byte[] encode(ControlRecord record) {
    List<Schema> schemas = WireCodec.schemas(ControlRecord.class);
    int one = (int) (record.getSerial() % schemas.size());
    if (one == 0 || record.getBody() instanceof LogSnapshot) {
      return WireCodec.encode(record);
    }
    byte[] bytes = WireCodec.encodeAs(schemas.get(one), record);
    boolean whole = WireCodec.decode(ControlRecord.class, bytes).equals(record);
    return whole ? bytes : WireCodec.encode(record);
  }

  /** Whether a release before this one has written the record at an offset. */
  boolean isOfAnEarlierRelease(Logged logged) {
    return !Arrays.equals(records.get(logged.offset()), WireCodec.encode(logged.record()));
  }

  private long append(byte[] bytes, Random random) {
    long last = records.isEmpty() ? 0 : records.lastKey();
    long offset = last + 1 + random.nextInt(3);
    records.put(offset, bytes);
    return offset;
  }

  /** Appends what was a record before something happened to it. */
  void appendCorrupt(ControlRecord record, Random random) {
    byte[] bytes = WireCodec.encode(record);
    byte[] corrupt = Arrays.copyOf(bytes, random.nextInt(bytes.length));
    if (read(corrupt).isEmpty()) {
      append(corrupt, random);
    }
  }

  /** The offset of the next record after an offset; null at the end. */
  @Nullable Long next(long offset) {
    return records.higherKey(offset);
  }

  /** The record at an offset; empty if nobody can read it. */
  Optional<Logged> read(long offset) {
    return read(records.get(offset)).map(record -> new Logged(offset, record));
  }

  private static Optional<ControlRecord> read(byte[] bytes) {
    try {
      return Optional.of(WireCodec.decode(ControlRecord.class, bytes));
    } catch (WireFormatException e) {
      return Optional.empty();
    }
  }

  /** Any record that was written so far; empty if there is none. */
  Optional<ControlRecord> any(Random random) {
    List<Map.Entry<Long, byte[]>> all = new ArrayList<>(records.entrySet());
    return all.isEmpty() ? Optional.empty() : read(all.get(random.nextInt(all.size())).getValue());
  }
}
