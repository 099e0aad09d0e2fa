package io.sluice.jobs.mix.fetch;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a split's blocks by its plan, with readers that each have a thread of their own and some
 * of the domains.
 */
public final class BlockFetcher {
  private final FetchMonitor plan;
  private final List<Reader> readers;
  private final Runnable arrived;
  private final BiConsumer<BlockFetcher, RuntimeException> failed;
  private volatile boolean closed;

  /**
   * @param plan shared with the task that takes the blocks
   * @param openings connect to the block topics, each for a part of the domains
   * @param arrived is run when blocks have come
   * @param failed is told why a reader ended before it was closed
   */
  public BlockFetcher(
      FetchMonitor plan,
      List<Supplier<BlockPartitions>> openings,
      Runnable arrived,
      BiConsumer<BlockFetcher, RuntimeException> failed) {
    this.plan = plan;
    this.readers = openings.stream().map(Reader::new).toList();
    this.arrived = arrived;
    this.failed = failed;
  }

  /** What fetches: each is to be run by a thread of its own. */
  public List<? extends Runnable> readers() {
    return readers;
  }

  /** Sizes of the domains whose end has been read. */
  public long[] sizes() {
    return plan.sizes();
  }

  /** Ends the readers soon; does not wait for them. */
  public void close() {
    closed = true;
    readers.forEach(Reader::wakeup);
    plan.wake();
  }

  private final class Reader implements Runnable {
    private final Supplier<BlockPartitions> opening;
    private volatile @Nullable BlockPartitions partitions;

    Reader(Supplier<BlockPartitions> opening) {
      this.opening = opening;
    }

    void wakeup() {
      BlockPartitions opened = partitions;
      if (opened != null) {
        opened.wakeup();
      }
    }

    @Override
    public void run() {
      try (BlockPartitions opened = opening.get()) {
        partitions = opened;
        while (!closed) {
          step(opened);
        }
      } catch (RuntimeException e) {
        boolean asked = closed && (e instanceof WakeupException || e instanceof InterruptException);
        if (!asked) {
          failed.accept(BlockFetcher.this, e);
        }
      } catch (Error e) {
        // A thread that is gone in silence leaves its run waiting for ever.
        RuntimeException wrapped =
            new IllegalStateException("the blocks cannot be fetched: " + e, e);
        failed.accept(BlockFetcher.this, wrapped);
        throw e;
      } catch (InterruptedException e) {
        // Closed while idle: nothing is left to do.
        Thread.currentThread().interrupt();
      }
    }

    private void step(BlockPartitions opened) throws InterruptedException {
      FetchMonitor.Demand demand = plan.await(opened.own());
      if (!demand.domains().isEmpty() && opened.read(demand, plan)) {
        arrived.run();
      }
    }
  }
}
