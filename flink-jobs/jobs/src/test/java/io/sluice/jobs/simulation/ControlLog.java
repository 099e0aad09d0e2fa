package io.sluice.jobs.simulation;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.LogTail;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The control log of all runs, at offsets with gaps. */
final class ControlLog {
  private final TreeMap<Long, byte[]> records = new TreeMap<>();

  /** Where an instance that has read nothing stands. */
  static final long START = -1;

  /** A record, its offset and its bytes. */
  @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
  record Logged(long offset, ControlRecord record, byte[] value) {}

  /** Appends it, after a gap as transactions leave it. */
  Logged append(ControlRecord record, Random random) {
    byte[] value = encode(record);
    return new Logged(append(value, random), record, value);
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
    return !Arrays.equals(logged.value(), WireCodec.encode(logged.record()));
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
    byte[] value = records.get(offset);
    return read(value).map(record -> new Logged(offset, record, value));
  }

  /** The newest snapshot of a run that a reader believes; empty if there is none. */
  Optional<Logged> believed(String runId) {
    if (records.isEmpty()) {
      return Optional.empty();
    }
    LogTail tail = new LogTail(runId, records.firstKey(), records.lastKey() + 1);
    Optional<LogBeginning> found = Optional.empty();
    while (found.isEmpty() && !tail.isWhole()) {
      records
          .tailMap(tail.widen())
          .forEach(
              (offset, value) ->
                  tail.take(new ConsumerRecord<>("log", 0, offset, new byte[0], value)));
      found = tail.find();
    }
    return found.flatMap(beginning -> read(beginning.offset()));
  }

  /** The newest snapshot of a run, whether it applies or not; empty if there is none. */
  Optional<Logged> newestSnapshot(String runId) {
    for (long offset : records.descendingKeySet()) {
      Optional<Logged> logged = read(offset);
      if (logged.isPresent()
          && logged.get().record().getRunId().equals(runId)
          && logged.get().record().getBody() instanceof LogSnapshot) {
        return logged;
      }
    }
    return Optional.empty();
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
