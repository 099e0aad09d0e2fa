package io.sluice.jobs.mix.fetch;

import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.mixture.plan.EpochOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Blocks that are all there, handed out when a coin says so. */
public final class TestingBlocks implements BlockSupply {
  private final RunLayout layout;
  private final long[] next;
  private final long[] sizes;
  private final BooleanSupplier arrived;
  private final List<Integer> needed = new ArrayList<>();
  private final List<Integer> taken = new ArrayList<>();

  public TestingBlocks(MixSplit split, long[] sizes, BooleanSupplier arrived) {
    this.layout = split.layout();
    this.next = split.cursor().ordinals().clone();
    this.sizes = sizes;
    this.arrived = arrived;
  }

  @Override
  public void need(int[] order, int from) {
    for (int i = from; i < order.length; i++) {
      needed.add(order[i]);
    }
  }

  @Override
  public boolean take(int domain, TakenBlock into) {
    if (!arrived.getAsBoolean()) {
      return false;
    }
    taken.add(domain);
    into.stored =
        EpochOrder.ended(layout.seed(), domain, 0, sizes[domain])
            .chunkAt(next[domain])
            .blockAt(next[domain]);
    into.bytes = ByteBuffer.wrap(TestingRun.block(domain, into.stored));
    next[domain]++;
    return true;
  }

  /** Domains that were announced, in order. */
  public List<Integer> needed() {
    return needed;
  }

  /** Domains that were taken, in order. */
  public List<Integer> taken() {
    return taken;
  }
}
