package io.sluice.client.derive;

import io.sluice.mixture.plan.EpochOrder;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which block each ordinal of a run stands for. Of each lane's part of a domain the present chunk
 * is kept; not thread-safe.
 */
final class StoredBlocks {
  /** Which block it is follows from what is not known yet; none has this number. */
  static final long UNKNOWN = 1L << 62;

  private final Turn turn;
  private final @Nullable EpochOrder[] orders;
  private final EpochOrder.@Nullable Chunk[] chunks;

  /** The blocks of a run as a specification has it. */
  StoredBlocks(Turn turn) {
    this.turn = turn;
    int parts = turn.lanes() * turn.domains().size();
    this.orders = new EpochOrder[parts];
    this.chunks = new EpochOrder.Chunk[parts];
  }

  /** Whether these are the blocks of a turn, too. */
  boolean isOf(Turn other) {
    return turn.seed() == other.seed() && turn.domains().equals(other.domains());
  }

  /** The block that an ordinal stands for. */
  long block(int lane, int domain, long ordinal, DomainEnds ends) {
    int part = lane * turn.domains().size() + domain;
    EpochOrder order = orders[part];
    if (order == null) {
      String name = turn.domains().get(domain);
      OptionalLong size = ends.blocks(name, lane);
      boolean inPlace = ends.isInPlace(name, lane);
      if (size.isEmpty() && inPlace) {
        return UNKNOWN;
      }
      if (size.isEmpty() || (ordinal < size.getAsLong() && !inPlace)) {
        return ordinal;
      }
      order =
          inPlace
              ? EpochOrder.inPlace(turn.seed(), domain, lane, size.getAsLong())
              : EpochOrder.ended(turn.seed(), domain, lane, size.getAsLong());
      orders[part] = order;
    }
    EpochOrder.Chunk chunk = chunks[part];
    if (chunk == null || ordinal < chunk.firstOrdinal() || ordinal >= chunk.end()) {
      chunk = order.chunkAt(ordinal);
      chunks[part] = chunk;
    }
    return chunk.blockAt(ordinal);
  }
}
