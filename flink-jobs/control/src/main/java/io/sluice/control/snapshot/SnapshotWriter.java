package io.sluice.control.snapshot;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.LogSummaries;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.EntryDigests;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.LogSummary;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EarlierSnapshot;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.Limits;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.TimelineOpening;
import io.sluice.schema.WireCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a controller keeps of its run's own log so that it can write snapshots of it, and when it
 * does: once what a reader would have to read without has grown, and when the run has ended.
 */
public final class SnapshotWriter {
  private static final byte VERSION = 1;
  private static final long LEAST_BYTES = 1 << 20;

  /** A snapshot is due once what came after it is so many times its size. */
  private static final long TIMES_ITS_SIZE = 4;

  /** Of a run that has ended, fewer entries than this are read without a snapshot. */
  private static final int FEW = 32;

  /** Entries from one snapshot to the next. */
  public static final int EVERY = 256;

  private final LogOutline outline;
  private final int every;
  private long digest;
  private long entries;
  private long bytes;
  private long size;
  private boolean ended;

  /** How many entries there were when a snapshot turned out to be larger than a record may be. */
  private long refusedAt = -1;

  private SnapshotWriter(LogOutline outline, int every) {
    this.outline = outline;
    this.every = every;
  }

  /**
   * Of a log with one entry.
   *
   * @param first a start, or a snapshot
   * @param value the record's bytes
   * @param every entries from one snapshot to the next
   */
  public static SnapshotWriter begun(ControlRecord first, long offset, byte[] value, int every) {
    SnapshotWriter writer = new SnapshotWriter(LogOutline.begun(first, offset), every);
    writer.grow(first, value);
    return writer;
  }

  /**
   * Takes the next entry that was accepted.
   *
   * @param value the record's bytes
   * @throws RuntimeException if it is a snapshot that says something else
   */
  public void accept(ControlRecord record, long offset, byte[] value) {
    outline.accept(record, offset);
    grow(record, value);
  }

  private void grow(ControlRecord record, byte[] value) {
    digest = ChainHash.fnv(ChainHash.FNV_OFFSET, value);
    if (record.getBody() instanceof LogSnapshot) {
      entries = 0;
      bytes = 0;
      size = value.length;
      ended = false;
      refusedAt = -1;
      return;
    }
    entries++;
    bytes += value.length;
    if (record.getBody() instanceof RunStateChanged change && !change.getRefused()) {
      ended = RunPhase.ofWireName(change.getState()).ended();
    }
  }

  /** Whether the next entry is to be a snapshot. */
  public boolean isDue() {
    if (refusedAt >= 0 && entries < refusedAt + every) {
      return false;
    }
    return entries >= every
        || bytes >= Math.max(LEAST_BYTES, TIMES_ITS_SIZE * size)
        || (ended && entries >= Math.min(FEW, every));
  }

  /**
   * The snapshot that is the next entry.
   *
   * @param state after the last one
   * @return empty if it would be larger than a record may be: then the log goes on without
   */
  public Optional<ControlRecord> next(RunState state, String writer, long timeMillis) {
    LogSummary summary = state.summary();
    LogPosition at = state.position();
    ControlEntry entry =
        new ControlEntry(
            at.runId(),
            at.timeline(),
            at.serial() + 1,
            at.offset(),
            EntryDigests.basedOn(at.digest()),
            "snapshot",
            summary);
    LogSnapshot body = outline.addTo(LogSummaries.write(summary).setSpec(outline.spec()), digest);
    ControlRecord record = ControlWire.summed(entry, body, writer, timeMillis);
    if (WireCodec.encode(record).length > Limits.RECORD_BYTES) {
      refusedAt = entries;
      return Optional.empty();
    }
    return Optional.of(record);
  }

  /** Bytes that {@link #decode} reads. */
  public byte[] encode() {
    return VersionedBytes.write(VERSION, this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeLong(digest);
    out.writeLong(entries);
    out.writeLong(bytes);
    out.writeLong(size);
    out.writeBoolean(ended);
    out.writeLong(refusedAt);
    out.writeUTF(outline.why);
    out.writeLong(outline.rounds);
    out.writeInt(outline.openings.size());
    for (TimelineOpening each : outline.openings) {
      out.writeInt(each.getTimeline());
      out.writeLong(each.getAfter());
      out.writeLong(each.getFirstSequence());
    }
    out.writeInt(outline.governing.size());
    for (GoverningEntry each : outline.governing) {
      out.writeLong(each.getSerial());
      out.writeLong(each.getOffset());
      out.writeLong(each.getAfter());
      out.writeLong(each.getFirstSequence());
    }
    out.writeInt(outline.earlier.size());
    for (EarlierSnapshot each : outline.earlier) {
      out.writeLong(each.getBatch());
      out.writeLong(each.getSerial());
      out.writeLong(each.getOffset());
    }
  }

  /**
   * What {@link #encode} wrote.
   *
   * @param first the record that the log was begun with
   * @param spec the one in force
   * @param every entries from one snapshot to the next
   */
  public static SnapshotWriter decode(
      ControlRecord first, RunSpec spec, int every, byte[] encoded) {
    return VersionedBytes.read(
        "a log's outline", VERSION, encoded, in -> read(first, spec, every, in));
  }

  private static SnapshotWriter read(
      ControlRecord first, RunSpec spec, int every, DataInputStream in) throws IOException {
    long[] counts = {in.readLong(), in.readLong(), in.readLong(), in.readLong()};
    boolean ended = in.readBoolean();
    long refusedAt = in.readLong();
    String why = in.readUTF();
    long rounds = in.readLong();
    List<TimelineOpening> openings = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      openings.add(new TimelineOpening(in.readInt(), in.readLong(), in.readLong()));
    }
    List<GoverningEntry> governing = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      governing.add(new GoverningEntry(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
    }
    List<EarlierSnapshot> earlier = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      earlier.add(new EarlierSnapshot(in.readLong(), in.readLong(), in.readLong()));
    }
    LogOutline outline =
        LogOutline.begun(first, 0).later(spec, why, rounds, openings, governing, earlier);
    SnapshotWriter writer = new SnapshotWriter(outline, every);
    writer.digest = counts[0];
    writer.entries = counts[1];
    writer.bytes = counts[2];
    writer.size = counts[3];
    writer.ended = ended;
    writer.refusedAt = refusedAt;
    return writer;
  }
}
