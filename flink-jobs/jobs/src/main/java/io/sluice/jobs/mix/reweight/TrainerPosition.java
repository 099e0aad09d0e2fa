package io.sluice.jobs.mix.reweight;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.TreeSet;

/**
 * The last granted batch that a trainer has reported. A report from beyond the grants waits until
 * the log has been read as far: it may be ahead of the reader, or simply wrong.
 */
final class TrainerPosition {
  /** Wrong reports must not push out right ones, and must not pile up. */
  private static final int MAX_AHEAD = 256;

  private long batch;
  private final TreeSet<Long> ahead = new TreeSet<>();

  long batch() {
    return batch;
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
      batch = Math.max(batch, ahead.pollFirst());
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(batch);
    out.writeInt(ahead.size());
    for (long reported : ahead) {
      out.writeLong(reported);
    }
  }

  static TrainerPosition read(DataInputStream in) throws IOException {
    TrainerPosition position = new TrainerPosition();
    position.batch = in.readLong();
    for (int left = in.readInt(); left > 0; left--) {
      position.ahead.add(in.readLong());
    }
    return position;
  }
}
