package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.LaneEnd;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.RunOutline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a run's stream ends in each lane, from the last records of its partitions: where readers go
 * on that were given all of it. What is written again from there, readers pass over; what is not,
 * they have.
 *
 * @param ends one for each lane; empty while more must be read
 * @param wanted partitions of which records before those that were read are needed
 */
record StreamEnd(List<LaneEnd> ends, Set<Integer> wanted) {
  StreamEnd {
    ends = List.copyOf(ends);
    wanted = Set.copyOf(wanted);
  }

  /**
   * The ends of all lanes.
   *
   * @param window bytes of a partition that may be on their way to the broker
   * @param tails of all partitions, in their order
   * @throws BrokenRunException if what is left of the stream does not tell where it ends, or
   *     readers stop at it
   */
  static StreamEnd of(RunOutline outline, long window, List<PartitionTail> tails) {
    Set<Integer> wanted = new TreeSet<>();
    long leastBatch = Long.MAX_VALUE;
    for (PartitionTail tail : tails) {
      leastBatch = Math.min(leastBatch, tail.leastBatch());
      if (!tail.isEnough(outline, window)) {
        wanted.add(tail.partition());
      }
    }
    List<LaneEnd> ends = new ArrayList<>();
    RunLayout layout = outline.first().layout();
    for (int lane = 0; lane < layout.lanes() && wanted.isEmpty(); lane++) {
      Lane read = new Lane(outline, window, leastBatch, lane);
      for (int p = lane; p < layout.streamPartitions(); p += layout.lanes()) {
        read.tails.add(tails.get(p));
      }
      ends.add(read.end(wanted));
    }
    return new StreamEnd(wanted.isEmpty() ? ends : List.of(), wanted);
  }

  /** The partitions of a lane. */
  private static final class Lane {
    private final RunOutline outline;
    private final long window;
    private final long leastBatch;
    private final int lane;
    private final List<PartitionTail> tails = new ArrayList<>();

    Lane(RunOutline outline, long window, long leastBatch, int lane) {
      this.outline = outline;
      this.window = window;
      this.leastBatch = leastBatch;
      this.lane = lane;
    }

    LaneEnd end(Set<Integer> wanted) {
      int newest = tails.stream().mapToInt(PartitionTail::timeline).max().orElseThrow();
      if (newest == PartitionTail.NONE) {
        return beforeAll();
      }
      long first = outline.opening(newest).firstIndex();
      Map<PartitionTail, AcceptedRun> runs = new HashMap<>();
      long end = Long.MAX_VALUE;
      for (PartitionTail tail : tails) {
        long next = tail.from(tail.isTrimmed() ? first : outline.oldest().firstIndex());
        if (tail.timeline() != PartitionTail.NONE) {
          OptionalLong begin = tail.begin(outline, window);
          if (begin.isEmpty()) {
            throw unclear("it is not known what readers have of partition " + tail.partition());
          }
          AcceptedRun run = tail.accept(outline, begin.getAsLong());
          runs.put(tail, run);
          next = run.next();
        }
        end = Math.min(end, next);
      }
      // What chains are before a timeline's first sequence.
      long[] chains = outline.first().cursor().chains().clone();
      long opening = outline.openingOf(end).firstIndex();
      for (PartitionTail tail : tails) {
        long next = tail.from(end);
        AcceptedRun run = runs.get(tail);
        if (run == null || next == tail.from(opening)) {
          continue;
        }
        if (run.knows(next)) {
          chains[tail.partition()] = run.chainBefore(next);
        } else if (!tail.isFromStart()) {
          wanted.add(tail.partition());
        } else {
          throw unclear(
              "sequence "
                  + end
                  + " is missing, and the one before "
                  + next
                  + " is removed from partition "
                  + tail.partition());
        }
      }
      return new LaneEnd(lane, end, chains);
    }

    private static BrokenRunException unclear(String why) {
      return new BrokenRunException(
          "what is left of the stream does not tell where it ends: " + why);
    }

    /** No sequence that stands is left: the stream begins, or begins anew. */
    private LaneEnd beforeAll() {
      boolean trimmed = tails.stream().anyMatch(PartitionTail::isTrimmed);
      RunOutline.Opening from = trimmed ? outline.newest() : outline.oldest();
      if (trimmed && from.after() >= leastBatch) {
        throw unclear("nothing of lane " + lane + " is left of batches that stand");
      }
      long[] chains = outline.first().cursor().chains().clone();
      Arrays.fill(chains, outline.first().layout().chainStart());
      int lanes = outline.first().layout().lanes();
      long end = from.firstIndex() + Math.floorMod(lane - from.firstIndex(), (long) lanes);
      return new LaneEnd(lane, end, chains);
    }
  }
}
