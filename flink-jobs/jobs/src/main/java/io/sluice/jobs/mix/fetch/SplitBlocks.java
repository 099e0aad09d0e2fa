package io.sluice.jobs.mix.fetch;

import io.sluice.jobs.mix.split.MixSplit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A split's blocks, fetched with the memory that it has a share of. While it has none, nothing is
 * open and no block comes. When the share becomes smaller, or twice as large, what fetches ends,
 * and another begins in its place with the next block, once nothing of the first is held.
 *
 * <p>For the split's task alone.
 */
public final class SplitBlocks implements BlockSupply {
  private final MixSplit split;
  private final BlockReaders readers;
  private final FetchMemory.Claim memory;
  private final Runnable arrived;
  private final BiConsumer<BlockFetcher, RuntimeException> failed;

  private final long[] ordinals;
  private long[] sizes;
  private final ArrayDeque<int[]> orders = new ArrayDeque<>();
  private int place;
  private final Map<Integer, BlockOffsets> offsets = new ConcurrentHashMap<>();
  private final AtomicInteger running = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private @Nullable Opened opened;
  private boolean closed;

  private record Opened(long budget, FetchMonitor blocks, BlockFetcher fetcher) {}

  /**
   * Blocks that nothing fetches yet.
   *
   * @param arrived is run when blocks have come
   * @param failed is told why a reader ended before it was closed
   */
  public SplitBlocks(
      MixSplit split,
      BlockReaders readers,
      FetchMemory.Claim memory,
      Runnable arrived,
      BiConsumer<BlockFetcher, RuntimeException> failed) {
    this.split = split;
    this.readers = readers;
    this.memory = memory;
    this.arrived = arrived;
    this.failed = failed;
    this.ordinals = split.cursor().ordinals().clone();
    this.sizes = split.cursor().sizes().clone();
  }

  @Override
  public void need(int[] order, int from) {
    if (orders.isEmpty()) {
      place = from;
    }
    orders.add(order);
    if (opened != null) {
      opened.blocks().need(order, from);
    } else {
      ask();
    }
  }

  @Override
  public boolean take(int domain, TakenBlock into) {
    if (opened == null || !opened.blocks().take(domain, into)) {
      return false;
    }
    ordinals[domain]++;
    place++;
    if (place == orders.element().length) {
      orders.remove();
      place = 0;
    }
    return true;
  }

  /** Asks for memory, and fetches as soon as there is some. */
  public void ask() {
    if (!closed) {
      memory.join();
      adjust();
    }
  }

  /**
   * Follows its share of the memory. Makes room for others when it needs no block, or has had its
   * turn.
   *
   * @param paused whether it will need none for long
   */
  public void adjust(boolean paused) {
    if (!orders.isEmpty()) {
      memory.takeTurns();
    } else if (paused) {
      memory.leave();
    } else {
      memory.giveWay();
    }
    adjust();
  }

  private void adjust() {
    long share = memory.share();
    Opened now = opened;
    if (now != null && (share < now.budget() || share / 2 >= now.budget())) {
      end(now);
    }
    if (opened == null && running.get() == 0) {
      long taken = memory.open();
      if (taken > 0) {
        begin(taken);
      }
    }
  }

  private void begin(long budget) {
    List<Supplier<BlockPartitions>> openings = readers.openings(budget, offsets);
    FetchPlan plan = new FetchPlan(split.layout(), split.lane(), ordinals, sizes, budget);
    FetchMonitor blocks = new FetchMonitor(plan, openings.size());
    int from = place;
    for (int[] order : orders) {
      blocks.need(order, from);
      from = 0;
    }
    BlockFetcher fetcher = new BlockFetcher(blocks, openings, arrived, failed);
    opened = new Opened(budget, blocks, fetcher);
    threads.clear();
    running.set(openings.size());
    for (Runnable reader : fetcher.readers()) {
      Thread thread = new Thread(() -> run(reader, budget), readers.name());
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void run(Runnable reader, long budget) {
    try {
      reader.run();
    } finally {
      if (running.decrementAndGet() == 0) {
        memory.closed(budget);
      }
    }
  }

  private void end(Opened now) {
    sizes = now.fetcher().sizes();
    opened = null;
    now.fetcher().close();
    threads.forEach(Thread::interrupt);
  }

  /** Whether blocks that are needed are not fetched, because others have the memory. */
  public boolean awaitMemory() {
    return memory.share() == 0 && !orders.isEmpty();
  }

  /** Whether the blocks come from this fetcher. */
  public boolean comeFrom(BlockFetcher fetcher) {
    return opened != null && opened.fetcher() == fetcher;
  }

  /** Blocks of each domain whose end has been read. */
  public long[] sizes() {
    return opened == null ? sizes.clone() : opened.fetcher().sizes();
  }

  /** Ends it for good; does not wait for the threads. */
  public void close() {
    closed = true;
    if (opened != null) {
      end(opened);
    }
    memory.leave();
  }

  /** Waits until each thread has ended. */
  public void join(Duration atMost) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(atMost.toMillis());
    }
  }
}
