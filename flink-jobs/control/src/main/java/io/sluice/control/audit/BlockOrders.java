package io.sluice.control.audit;

import io.sluice.mixture.plan.EpochOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Which block of a lane's part of a domain an ordinal stands for. */
final class BlockOrders {
  private final long seed;
  private final Sizes sizes;
  private final Map<String, EpochOrder> orders = new HashMap<>();

  /** How many blocks the parts of domains have. */
  interface Sizes {
    /** Blocks of a lane's part of a domain; empty while it may still grow. */
    OptionalLong size(String domain, int lane);

    /** Whether nobody has shuffled them. */
    default boolean isInPlace(String domain, int lane) {
      return false;
    }
  }

  /**
   * The orders of a run.
   *
   * @param seed of the run
   */
  BlockOrders(long seed, Sizes sizes) {
    this.seed = seed;
    this.sizes = sizes;
  }

  /** The block of a sequence. */
  long block(Expectation.Sequence of) {
    EpochOrder order =
        orders.computeIfAbsent(of.domain() + "/" + of.lane() + "/" + of.name(), key -> orderOf(of));
    return order.chunkAt(of.ordinal()).blockAt(of.ordinal());
  }

  private EpochOrder orderOf(Expectation.Sequence of) {
    OptionalLong size = sizes.size(of.name(), of.lane());
    if (size.isEmpty() || size.getAsLong() == 0) {
      return EpochOrder.growing(seed, of.domain());
    }
    return sizes.isInPlace(of.name(), of.lane())
        ? EpochOrder.inPlace(seed, of.domain(), of.lane(), size.getAsLong())
        : EpochOrder.ended(seed, of.domain(), of.lane(), size.getAsLong());
  }
}
