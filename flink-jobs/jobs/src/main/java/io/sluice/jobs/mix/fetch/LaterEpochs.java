package io.sluice.jobs.mix.fetch;

import io.sluice.mixture.plan.EpochOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongPredicate;

/**
 * Which ordinals of a domain's later epochs the blocks of its partition stand for, within a window
 * of ordinals that only moves on.
 */
final class LaterEpochs {
  private final EpochOrder order;
  private final ArrayDeque<Place> window = new ArrayDeque<>();
  private final Map<Long, List<Place>> byFirstBlock = new HashMap<>();
  private long end;

  LaterEpochs(long seed, int domain, int lane, long size) {
    order = EpochOrder.ended(seed, domain, lane, size);
  }

  /** A chunk of blocks in one epoch. */
  static final class Place {
    private final EpochOrder.Chunk chunk;
    private final int[] inverse;

    private Place(EpochOrder.Chunk chunk) {
      this.chunk = chunk;
      this.inverse = new int[chunk.order().length];
      for (int i = 0; i < inverse.length; i++) {
        inverse[chunk.order()[i]] = i;
      }
    }

    /** The ordinal that a block of this chunk stands for. */
    long ordinalOf(long stored) {
      return chunk.firstOrdinal() + inverse[(int) (stored - chunk.firstBlock())];
    }
  }

  /** Moves the window to the chunks of the ordinals [from, to), in later epochs all. */
  void cover(long from, long to) {
    while (!window.isEmpty() && window.element().chunk.end() <= from) {
      EpochOrder.Chunk left = window.remove().chunk;
      Objects.requireNonNull(byFirstBlock.get(left.firstBlock())).remove(0);
    }
    if (window.isEmpty()) {
      end = from;
    }
    while (end < to) {
      Place place = new Place(order.chunkAt(end));
      window.add(place);
      byFirstBlock.computeIfAbsent(place.chunk.firstBlock(), block -> new ArrayList<>()).add(place);
      end = place.chunk.end();
    }
  }

  /** The window's places of a block, the earliest epoch first. */
  List<Place> placesOf(long stored) {
    return byFirstBlock.getOrDefault(stored - stored % EpochOrder.CHUNK, List.of());
  }

  /**
   * The block that a sweep reads next for the lacking ordinals in [from, to): the lowest from where
   * it stands, else the lowest.
   *
   * @param readAt where it stands; below 0 for nowhere
   */
  long nextOf(long from, long to, long readAt, LongPredicate lacking) {
    long ahead = Long.MAX_VALUE;
    long lowest = Long.MAX_VALUE;
    for (Place place : window) {
      EpochOrder.Chunk chunk = place.chunk;
      long last = Math.min(to, chunk.end());
      for (long ordinal = Math.max(from, chunk.firstOrdinal()); ordinal < last; ordinal++) {
        if (lacking.test(ordinal)) {
          long block = chunk.blockAt(ordinal);
          lowest = Math.min(lowest, block);
          ahead = readAt >= 0 && block >= readAt ? Math.min(ahead, block) : ahead;
        }
      }
    }
    return ahead == Long.MAX_VALUE ? lowest : ahead;
  }
}
