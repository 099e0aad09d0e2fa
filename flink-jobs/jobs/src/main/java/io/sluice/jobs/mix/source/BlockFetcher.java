package io.sluice.jobs.mix.source;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a split's blocks in a thread of its own, and hands them to the split's task. One lock
 * guards the plan; the thread holds it neither while it asks the broker nor while it waits.
 */
final class BlockFetcher implements BlockSupply, Runnable {
  private static final long IDLE_MILLIS = 1_000;

  private final FetchPlan plan;
  private final Supplier<BlockPartitions> opening;
  private final Runnable arrived;
  private final Consumer<Notice.BlocksFailed> failed;
  private boolean idle;
  private volatile boolean closed;
  private volatile @Nullable BlockPartitions partitions;

  /**
   * @param plan used by nobody else from now on
   * @param opening connects to the block topics
   * @param arrived is run when blocks have come
   * @param failed is told why the thread ended before it was closed
   */
  BlockFetcher(
      FetchPlan plan,
      Supplier<BlockPartitions> opening,
      Runnable arrived,
      Consumer<Notice.BlocksFailed> failed) {
    this.plan = plan;
    this.opening = opening;
    this.arrived = arrived;
    this.failed = failed;
  }

  @Override
  public void need(int[] order, int from) {
    synchronized (plan) {
      plan.need(order, from);
      wakeIfIdle();
    }
  }

  @Override
  public boolean take(int domain, TakenBlock into) {
    synchronized (plan) {
      boolean taken = plan.take(domain, into);
      if (idle && (plan.isWorthAdvancing() || !plan.lacking().isEmpty())) {
        wakeIfIdle();
      }
      return taken;
    }
  }

  private void wakeIfIdle() {
    if (idle) {
      idle = false;
      plan.notifyAll();
    }
  }

  /** Sizes of the domains whose end has been read. */
  long[] sizes() {
    synchronized (plan) {
      return plan.sizes();
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
        failed.accept(new Notice.BlocksFailed(this, e));
      }
    } catch (Error e) {
      // A thread that is gone in silence leaves its run waiting for ever.
      RuntimeException wrapped = new IllegalStateException("the blocks cannot be fetched: " + e, e);
      failed.accept(new Notice.BlocksFailed(this, wrapped));
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
      if (plan.lacking().isEmpty()) {
        idle = true;
        plan.wait(IDLE_MILLIS);
        idle = false;
        return;
      }
      opened.want(plan);
    }
    opened.seek(plan);
    if (opened.poll(plan)) {
      arrived.run();
    }
  }

  /** Ends the thread soon; does not wait for it. */
  void close() {
    closed = true;
    BlockPartitions opened = partitions;
    if (opened != null) {
      opened.wakeup();
    }
    synchronized (plan) {
      idle = false;
      plan.notifyAll();
    }
  }
}
