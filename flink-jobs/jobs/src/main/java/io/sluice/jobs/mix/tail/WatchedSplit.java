package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.mark.WrittenStreams;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.StreamReach;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * A split that writes, or has written, and how long its stream must be looked at. What a broker has
 * not flushed is gone only once that is back after its power was: so a look ends with an answer
 * that came late enough, not with time alone.
 */
final class WatchedSplit {
  private static final long NEVER = Long.MIN_VALUE;

  final MixSplit split;
  final StreamGate gate;
  final List<TopicPartition> partitions = new ArrayList<>();

  /** Whether it has lost something for sure. */
  final boolean cut;

  private volatile boolean finished;
  private boolean flushed;
  private long[] grown = new long[0];
  private long grownNanos;
  private long goneNanos = NEVER;

  WatchedSplit(MixSplit split, StreamGate gate, Topics topics, boolean cut, long nowNanos) {
    this.split = split;
    this.gate = gate;
    this.cut = cut;
    grownNanos = nowNanos;
    int lanes = split.layout().lanes();
    for (int p = split.lane(); p < split.layout().streamPartitions(); p += lanes) {
      partitions.add(new TopicPartition(topics.stream(split.layout().run()), p));
    }
  }

  /** It has emitted all. */
  void finish() {
    finished = true;
  }

  /** Whether it has emitted all. */
  boolean isFinished() {
    return finished;
  }

  /** Takes note of how far its stream reaches now. */
  void reaches(StreamReach reach, long nowNanos) {
    if (!Arrays.equals(reach.ends(), grown)) {
      grown = reach.ends();
      grownNanos = nowNanos;
      flushed = false;
    }
  }

  /** Whether all that it wrote is known to be on a disk. */
  boolean isFlushed() {
    return flushed;
  }

  /** Brokers have all that it wrote, as they were asked then. */
  void isThere(long askedNanos) {
    goneNanos = NEVER;
    flushed = isLate(askedNanos);
  }

  private boolean isLate(long askedNanos) {
    return askedNanos - grownNanos >= StreamCheck.UNFLUSHED.toNanos();
  }

  /** Brokers know no such stream, which they may say for a moment when they have just started. */
  void isGone(long askedNanos) {
    goneNanos = goneNanos == NEVER ? askedNanos : goneNanos;
    flushed = isLate(askedNanos) && askedNanos - goneNanos >= WrittenStreams.UNSURE.toNanos();
  }
}
