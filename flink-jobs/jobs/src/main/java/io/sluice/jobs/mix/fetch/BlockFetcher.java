package io.sluice.jobs.mix.fetch;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Hands a split's blocks to its task. Readers fetch them, each in a thread of its own and for some
 * of the domains. One lock guards the plan; a reader holds it neither while it asks the broker nor
 * while it waits.
 */
public final class BlockFetcher implements BlockSupply {
  private static final long IDLE_MILLIS = 1_000;

  private final FetchPlan plan;
  private final List<Reader> readers;
  private final Runnable arrived;
  private final BiConsumer<BlockFetcher, RuntimeException> failed;
  private int idle;
  private volatile boolean closed;

  /**
   * @param plan used by nobody else from now on
   * @param openings connect to the block topics, each for a part of the domains
   * @param arrived is run when blocks have come
   * @param failed is told why a reader ended before it was closed
   */
  public BlockFetcher(
      FetchPlan plan,
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

  @Override
  public void need(int[] order, int from) {
    synchronized (plan) {
      plan.need(order, from);
      wake();
    }
  }

  @Override
  public boolean take(int domain, TakenBlock into) {
    synchronized (plan) {
      boolean taken = plan.take(domain, into);
      boolean nobodyAdvances = idle == readers.size() && plan.isWorthAdvancing();
      if (nobodyAdvances || plan.clearLacksMore()) {
        wake();
      }
      return taken;
    }
  }

  private void wake() {
    if (idle > 0) {
      readers.forEach(reader -> reader.setIdle(false));
      plan.notifyAll();
    }
  }

  /** Sizes of the domains whose end has been read. */
  public long[] sizes() {
    synchronized (plan) {
      return plan.sizes();
    }
  }

  /** Ends the readers soon; does not wait for them. */
  public void close() {
    closed = true;
    readers.forEach(Reader::wakeup);
    synchronized (plan) {
      wake();
    }
  }

  private final class Reader implements Runnable {
    private final Supplier<BlockPartitions> opening;
    private volatile @Nullable BlockPartitions partitions;
    private boolean isIdle;

    Reader(Supplier<BlockPartitions> opening) {
      this.opening = opening;
    }

    void setIdle(boolean now) {
      if (now != isIdle) {
        isIdle = now;
        idle += now ? 1 : -1;
      }
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
      synchronized (plan) {
        if (plan.isWorthAdvancing()) {
          // A little at a time, each fetch would bring only a little.
          plan.advance();
        }
        if (plan.clearLacksMore()) {
          wake();
        }
        if (!opened.want(plan)) {
          setIdle(true);
          plan.wait(IDLE_MILLIS);
          setIdle(false);
          return;
        }
      }
      opened.seek(plan);
      if (opened.poll(plan)) {
        arrived.run();
      }
    }
  }
}
