package io.sluice.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run's own log, read backwards in windows that grow, until the newest snapshot that
 * can be believed is found.
 *
 * <p>A snapshot is believed if the record that it is based on is there, is the entry before it and
 * has the digest that the snapshot says, and if no record between the two is the next entry in its
 * place. That the entry before it was accepted is the word of who wrote the snapshot after reading
 * that back.
 */
public final class LogTail {
  /** Records of the first window; the log of a run that has ended mostly ends with a snapshot. */
  private static final int FIRST = 4;

  /** Up to this many, the next window is eight times the last; from then on four times. */
  private static final int MANY = 256;

  /** A snapshot is written as soon as what it is based on is read back. */
  private static final long FARTHEST_BASE = 1024;

  private final String runId;
  private final long begin;
  private long from;
  private long to;
  private long window = FIRST;
  private final List<Seen> seen = new ArrayList<>();
  private final List<Seen> coming = new ArrayList<>();

  /** What is kept of a record of the run. */
  private record Seen(
      long offset,
      long serial,
      long basedOn,
      @Nullable Long base,
      long digest,
      long name,
      @Nullable ControlRecord snapshot) {
    /** Whether it claims to follow the same entry. */
    boolean rivals(Seen other) {
      return serial == other.serial && basedOn == other.basedOn && Objects.equals(base, other.base);
    }
  }

  /** Of a log that has these offsets. */
  public LogTail(String runId, long begin, long end) {
    this.runId = runId;
    this.begin = begin;
    this.from = end;
    this.to = end;
  }

  /** Goes back by the next window, whose records are to be taken then; its first offset. */
  public long widen() {
    to = from;
    from = Math.max(begin, to - window);
    window *= window < MANY ? 8 : 4;
    return from;
  }

  /** Where the window ends. */
  long to() {
    return to;
  }

  /** Whether there is nothing before the window. */
  public boolean isWhole() {
    return from == begin;
  }

  /** Takes a record of the window; those beyond it are not looked at. */
  public void take(ConsumerRecord<byte[], byte[]> message) {
    if (message.offset() < from || message.offset() >= to) {
      return;
    }
    try {
      ControlRecord record = WireCodec.decode(ControlRecord.class, message.value());
      if (record.getRunId().equals(runId)) {
        coming.add(
            new Seen(
                message.offset(),
                record.getSerial(),
                record.getBasedOn(),
                record.getBasedOnDigest(),
                ChainHash.fnv(ChainHash.FNV_OFFSET, message.value()),
                EntryDigest.of(message.value()),
                record.getBody() instanceof LogSnapshot ? record : null));
      }
    } catch (WireFormatException e) {
      // Whoever reads the log ignores it, too.
      return;
    }
  }

  /** The newest snapshot that can be believed, of what was read so far. */
  public Optional<LogBeginning> find() {
    seen.addAll(0, coming);
    coming.clear();
    boolean decided = true;
    for (int i = seen.size() - 1; i >= 0; i--) {
      Seen each = seen.get(i);
      ControlRecord snapshot = each.snapshot();
      if (snapshot == null || !isNear(each)) {
        continue;
      }
      if (each.basedOn() < from && !isWhole()) {
        decided = false;
        break;
      }
      if (isBelieved(i, (LogSnapshot) snapshot.getBody())) {
        return Optional.of(new LogBeginning(each.offset(), Optional.of(snapshot), each.name()));
      }
    }
    if (decided) {
      seen.clear();
    }
    return Optional.empty();
  }

  private static boolean isNear(Seen snapshot) {
    long before = snapshot.offset() - snapshot.basedOn();
    return before > 0 && before <= FARTHEST_BASE;
  }

  private boolean isBelieved(int place, LogSnapshot snapshot) {
    Seen said = seen.get(place);
    for (int i = place - 1; i >= 0 && seen.get(i).offset() >= said.basedOn(); i--) {
      Seen each = seen.get(i);
      if (each.offset() == said.basedOn()) {
        return each.serial() == said.serial() - 1
            && each.digest() == snapshot.getDigest()
            && (said.base() == null || said.base() == each.name());
      }
      if (each.rivals(said)) {
        return false;
      }
    }
    return false;
  }
}
