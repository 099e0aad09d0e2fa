package io.sluice.mixture.log;

import io.sluice.mixture.log.Lineage.Opening;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.state.VersionedBytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A run's state as versioned bytes. The settings are not in them, nor the plan's version: they come
 * from the run's first control entry or its last revision, which their reader keeps as it was
 * written.
 */
public final class RunStateCodec {
  private static final byte VERSION = 2;

  /** Before entries named by content what they are based on. */
  private static final byte WITHOUT_DIGEST = 1;

  private RunStateCodec() {}

  /** Bytes that {@link #decode} reads. */
  public static byte[] encode(RunState state) {
    return VersionedBytes.write(VERSION, out -> write(out, state));
  }

  private static void write(DataOutputStream out, RunState state) throws IOException {
    LogPosition position = state.position();
    out.writeUTF(position.runId());
    out.writeInt(position.timeline());
    out.writeLong(position.serial());
    out.writeLong(position.offset());
    out.writeLong(position.granted());
    VersionedBytes.write(out, position.digest());
    out.writeUTF(state.phase().wireName());
    List<Opening> openings = state.lineage().openings();
    out.writeInt(openings.size());
    for (Opening opening : openings) {
      out.writeInt(opening.timeline());
      out.writeLong(opening.after());
    }
    write(out, state.snapshot());
    out.writeLong(state.heardTo());
    out.writeInt(state.revisions().size());
    for (Map.Entry<Long, Integer> revision : state.revisions().entrySet()) {
      out.writeLong(revision.getKey());
      out.writeInt(revision.getValue());
    }
    out.writeInt(state.appliedCommands().size());
    for (String command : state.appliedCommands()) {
      out.writeUTF(command);
    }
  }

  /**
   * The state that {@link #encode} wrote.
   *
   * @param planVersion from the run's first control entry
   * @param settings from it, or from the run's last revision
   */
  public static RunState decode(int planVersion, RunSettings settings, byte[] bytes) {
    return VersionedBytes.read(
        "run state",
        WITHOUT_DIGEST,
        VERSION,
        bytes,
        (version, in) -> read(planVersion, settings, version, in));
  }

  private static RunState read(
      int planVersion, RunSettings settings, int version, DataInputStream in) throws IOException {
    LogPosition position =
        new LogPosition(
            in.readUTF(),
            in.readInt(),
            in.readLong(),
            in.readLong(),
            in.readLong(),
            version == WITHOUT_DIGEST ? null : VersionedBytes.readOptional(in));
    RunPhase phase = RunPhase.ofWireName(in.readUTF());
    List<Opening> openings = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      openings.add(new Opening(in.readInt(), in.readLong()));
    }
    Snapshot snapshot = readSnapshot(in, position.granted());
    long heardTo = in.readLong();
    SortedMap<Long, Integer> revisions = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      revisions.put(in.readLong(), in.readInt());
    }
    Set<String> commands = new LinkedHashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      commands.add(in.readUTF());
    }
    return new RunState(
        planVersion,
        settings,
        position,
        phase,
        new Lineage(openings),
        snapshot,
        heardTo,
        revisions,
        commands);
  }

  private static void write(DataOutputStream out, Snapshot snapshot) throws IOException {
    out.writeLong(snapshot.nextSequence());
    out.writeInt(snapshot.weightsVersion());
    out.writeLong(snapshot.round());
    out.writeLong(snapshot.baseRound());
    VersionedBytes.write(out, snapshot.decided().parts());
    out.writeBoolean(snapshot.pinned());
    out.writeLong(snapshot.drainTo());
    out.writeInt(snapshot.policyState().length);
    out.write(snapshot.policyState());
    VersionedBytes.write(out, snapshot.planError());
    VersionedBytes.write(out, snapshot.ordinals());
    VersionedBytes.write(out, snapshot.masked().toLongArray());
  }

  private static Snapshot readSnapshot(DataInputStream in, long batch) throws IOException {
    return new Snapshot(
        batch,
        in.readLong(),
        in.readInt(),
        in.readLong(),
        in.readLong(),
        Weights.of(VersionedBytes.readLongs(in)),
        in.readBoolean(),
        in.readLong(),
        in.readNBytes(in.readInt()),
        VersionedBytes.readLongs(in),
        VersionedBytes.readLongs(in),
        BitSet.valueOf(VersionedBytes.readLongs(in)));
  }
}
