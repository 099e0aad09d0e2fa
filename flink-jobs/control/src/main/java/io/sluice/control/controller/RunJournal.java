package io.sluice.control.controller;

import io.sluice.mixture.round.Refusals;
import io.sluice.mixture.state.VersionedBytes;
import io.sluice.schema.Limits;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;

/**
 * What a controller remembers besides the log, the reports and the commands: counts and reasons.
 */
final class RunJournal {
  private static final byte VERSION = 2;
  private static final String PART = "notes";

  private final RunStore store;
  private final TrainerPosition trainers = new TrainerPosition();
  private final Refusals refusals = new Refusals();
  private long ignoredControl;
  private String failure = "";
  private boolean broken;
  private String run = "";
  private boolean changed;

  private RunJournal(RunStore store) {
    this.store = store;
  }

  /**
   * The notes that were kept; blank ones if there are none.
   *
   * @param parts everything in the store
   */
  static RunJournal open(RunStore store, Map<String, byte[]> parts) {
    byte[] bytes = parts.get(PART);
    return bytes == null
        ? new RunJournal(store)
        : VersionedBytes.read(
            "a controller's journal", 1, VERSION, bytes, (version, in) -> read(store, version, in));
  }

  TrainerPosition trainers() {
    return trainers;
  }

  Refusals refusals() {
    return refusals;
  }

  long ignoredControl() {
    return ignoredControl;
  }

  /** Why the run has failed; '' if it has not. */
  String failure() {
    return failure;
  }

  /** Whether the run's log is broken, so that nothing can be decided from it again. */
  boolean broken() {
    return broken;
  }

  /** What the run is called by those who asked for it; '' if nobody has. */
  String run() {
    return run;
  }

  void name(String asked) {
    run = cut(asked);
    changed = true;
  }

  void refuseFeedback(String reason) {
    refusals.count(cut(reason));
    changed = true;
  }

  /** A report does not count, which may be nothing to worry about. */
  void refuseFeedback(String reason, String which) {
    refusals.count(reason, cut(which + reason));
    changed = true;
  }

  void refuse(String reason) {
    refusals.refuse(cut(reason));
    changed = true;
  }

  void ignoreControl() {
    ignoredControl++;
    changed = true;
  }

  /** The run cannot start like this; another specification, or the log, may change that. */
  void fail(String reason) {
    failure = cut(reason);
    changed = true;
  }

  void recover() {
    failure = "";
    changed = true;
  }

  /** The run's log cannot be followed any further. */
  void breakOff(String reason) {
    fail(reason);
    broken = true;
  }

  void report(long batch, long granted) {
    trainers.report(batch, granted);
    changed = true;
  }

  void begin(long after) {
    trainers.begin(after);
    changed = true;
  }

  void rewind(long batch) {
    trainers.rewind(batch);
    changed = true;
  }

  void follow(long granted) {
    trainers.follow(granted);
    changed = true;
  }

  /** Writes what has changed since the last call. */
  void keep() {
    if (changed) {
      store.put(PART, VersionedBytes.write(VERSION, this::write));
      changed = false;
    }
  }

  private static String cut(String reason) {
    return Limits.shortened(reason, Limits.TEXT);
  }

  private void write(DataOutputStream out) throws IOException {
    refusals.write(out);
    out.writeLong(ignoredControl);
    out.writeUTF(failure);
    out.writeBoolean(broken);
    out.writeUTF(run);
    trainers.write(out);
  }

  private static RunJournal read(RunStore store, int version, DataInputStream in)
      throws IOException {
    RunJournal notes = new RunJournal(store);
    notes.refusals.read(version, in);
    notes.ignoredControl = in.readLong();
    notes.failure = in.readUTF();
    notes.broken = in.readBoolean();
    notes.run = in.readUTF();
    notes.trainers.read(in);
    return notes;
  }
}
