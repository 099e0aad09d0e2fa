package io.sluice.control.controller;

import io.sluice.mixture.log.RunState;
import io.sluice.schema.TrainerProgress;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.TreeSet;

/**
 * The last granted batch that a trainer has reported, and how many batches lie between two reports.
 * A report from beyond the grants waits until the log has been read as far: it may be ahead of the
 * reader, or simply wrong.
 */
final class TrainerPosition {
  /** Wrong reports must not push out right ones, and must not pile up. */
  private static final int MAX_AHEAD = 256;

  private long batch;
  private long reportEvery;
  private final TreeSet<Long> ahead = new TreeSet<>();

  long batch() {
    return batch;
  }

  /** Batches between the last two reports that moved it; 0 before there were two. */
  long reportEvery() {
    return reportEvery;
  }

  /** The run begins after this batch, so trainers do, too. */
  void begin(long after) {
    batch = after;
  }

  /**
   * Checks whose batch a report names: it is its owner's, and whoever goes on from one in the
   * current timeline may name that.
   *
   * @throws IllegalArgumentException if it can be nobody's
   */
  static void requireOwned(TrainerProgress progress, RunState state) {
    int owner = state.lineage().owner(progress.getBatch());
    int own = progress.getTimeline();
    if (progress.getBatch() < 0 || (own != owner && own != state.position().timeline())) {
      throw new IllegalArgumentException(
          "must be at least 0 in timeline " + owner + ": " + progress.getBatch() + " in " + own);
    }
  }

  void report(long reported, long granted) {
    if (reported > batch) {
      ahead.add(reported);
      follow(granted);
      if (ahead.size() > MAX_AHEAD) {
        ahead.pollFirst();
      }
    }
  }

  /** Takes over what lies within the grants. */
  void follow(long granted) {
    while (!ahead.isEmpty() && ahead.first() <= granted) {
      long reported = ahead.pollFirst();
      if (reported > batch) {
        reportEvery = reported - batch;
        batch = reported;
      }
    }
  }

  /** What was reported beyond a rewind's batch is no progress of what follows. */
  void rewind(long to) {
    batch = Math.min(batch, to);
    ahead.clear();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(batch);
    out.writeLong(reportEvery);
    out.writeInt(ahead.size());
    for (long reported : ahead) {
      out.writeLong(reported);
    }
  }

  void read(DataInputStream in) throws IOException {
    batch = in.readLong();
    reportEvery = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      ahead.add(in.readLong());
    }
  }
}
