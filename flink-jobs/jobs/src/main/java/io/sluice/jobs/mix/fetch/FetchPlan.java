package io.sluice.jobs.mix.fetch;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides which blocks of a split are fetched: those that the ordered batches need, in the order of
 * need, as many as fit a budget of bytes.
 *
 * <p>The horizon is the last sequence whose block is fetched. It moves on while the sequences
 * before it, at the size of the largest block so far, fit the budget. Some sequences lie before it
 * whatever the budget says, {@link #LEAST} unless their blocks are huge: what the next sequence
 * needs is always on its way, so nothing waits for ever. A fetch may bring blocks from beyond the
 * horizon: in the first epoch they are kept, as the domain needs them next, while they leave one of
 * {@link #EXCESS} budgets to what is needed, so that thousands of domains cannot fill the memory,
 * and do not hold the horizon up: it would move by single sequences, and each fetch bring the
 * blocks of a few. In a later epoch they are kept only if all fit the budget, and share it with the
 * sequences before the horizon. A block that several epochs need is fetched once, but counted for
 * each.
 *
 * <p>Not thread-safe: {@link FetchMonitor} guards it. Domains that are not needed cost nothing.
 */
public final class FetchPlan implements BlockSupply {
  /** Sequences that are fetched even if they exceed the budget, while these bytes hold them. */
  static final int LEAST = 16;

  private static final long LEAST_BYTES = FetchMemory.EACH * FetchMemory.LEAST;

  /** Blocks that are read and dropped rather than sought past; a seek costs a whole fetch. */
  private static final long LEAST_SKIP = 64;

  private static final long SKIP_BYTES = 2 << 20;

  /**
   * Budgets that all blocks may take, those that came before they were needed included: a fetch
   * costs as much for one block of a domain as for some.
   */
  static final int EXCESS = 6;

  private final long seed;
  private final long budget;
  private final long most;
  private final RunLayout layout;
  private final int lane;
  private final long[] ordinals;
  private final long[] sizes;
  private final @Nullable DomainQueue[] queues;

  private final BlockMemory memory;
  private final ArrayDeque<int[]> orders = new ArrayDeque<>();
  private int place;
  private final BitSet lacking = new BitSet();
  private boolean lacksMore;
  private int untaken;
  private int outstanding;
  private int lateSpares;
  private long held;
  private int largest;

  /**
   * A plan that begins where a split does.
   *
   * @param cursor where the split begins
   * @param budget bytes of blocks that may be here
   */
  public FetchPlan(RunLayout layout, int lane, SplitCursor cursor, long budget) {
    this(layout, lane, cursor.ordinals(), cursor.sizes(), budget);
  }

  /**
   * A plan that begins with the given ordinals.
   *
   * @param sizes blocks of each domain whose end has been read
   * @param budget bytes of blocks that may be here
   */
  FetchPlan(RunLayout layout, int lane, long[] ordinals, long[] sizes, long budget) {
    this.layout = layout;
    this.lane = lane;
    this.seed = layout.seed();
    this.budget = budget;
    this.most = EXCESS * budget;
    this.memory = new BlockMemory(most / 2);
    this.ordinals = ordinals.clone();
    this.sizes = sizes.clone();
    this.queues = new DomainQueue[ordinals.length];
  }

  @Override
  public void need(int[] order, int from) {
    if (orders.isEmpty()) {
      place = from;
    } else if (from != 0) {
      throw new IllegalArgumentException("only the first batch may begin at " + from);
    }
    orders.add(order);
  }

  @Override
  public boolean take(int domain, TakenBlock into) {
    if (untaken == 0) {
      // The fetcher has nothing to do, and so nothing to say, when all that is needed is here.
      advance();
    }
    DomainQueue queue = queues[domain];
    ByteBuffer block = queue == null ? null : queue.peek();
    if (queue == null || block == null || untaken == 0) {
      return false;
    }
    into.bytes = block;
    into.stored = queue.peekStored();
    queue.take();
    ordinals[domain]++;
    held -= block.remaining();
    memory.drop(block);
    untaken--;
    return true;
  }

  /** Moves the horizon as far as the budget lets it. */
  public void advance() {
    while (!orders.isEmpty() && hasRoom()) {
      int[] order = orders.element();
      int domain = order[place];
      DomainQueue queue = queue(domain);
      boolean here = queue.holdsNextNeed();
      queue.need();
      untaken++;
      if (!here) {
        outstanding++;
        lacking.set(domain);
        lacksMore = true;
      } else if (queue.isPastFirstEpoch()) {
        lateSpares--;
      }
      place++;
      if (place == order.length) {
        orders.remove();
        place = 0;
      }
    }
  }

  private boolean hasRoom() {
    return untaken == 0
        || (untaken < LEAST && due(1) <= Math.max(most, LEAST_BYTES))
        || (largest > 0 && due(1) <= budget);
  }

  /** Bytes of the sequences before the horizon, some more, and what a later epoch keeps beyond. */
  private long due(int more) {
    return ((long) untaken + lateSpares + more) * largest;
  }

  /** Whether one more block fits, with all that are here or on their way. */
  private boolean fits(long bytes) {
    return held + (outstanding + 1L) * largest <= bytes;
  }

  private DomainQueue queue(int domain) {
    DomainQueue queue = queues[domain];
    if (queue == null) {
      queue = new DomainQueue(seed, domain, lane, ordinals[domain], sizes[domain]);
      queues[domain] = queue;
    }
    return queue;
  }

  /** Whether the horizon can move, and far enough to be worth the trouble. */
  boolean isWorthAdvancing() {
    return !orders.isEmpty() && (untaken < LEAST / 2 || due(0) <= budget - budget / 4);
  }

  /** Whether the horizon passed a block that is not here since the last call, which forgets it. */
  boolean clearLacksMore() {
    boolean answer = lacksMore;
    lacksMore = false;
    return answer;
  }

  /** Domains whose partitions must be read: they lack a needed block. A live view. */
  public BitSet lacking() {
    return lacking;
  }

  /** The block that a lacking domain's reader must seek; −1 when it may just read on. */
  public long seekTarget(int domain) {
    return queue(domain).seekTarget(Math.max(LEAST_SKIP, SKIP_BYTES / Math.max(1, largest)));
  }

  /** A lacking domain's reader now stands before this block. */
  public void readingFrom(int domain, long stored) {
    queue(domain).readingFrom(stored);
  }

  /** The block that must come next from a partition; −1 when it is to be sought first. */
  public long readAt(int domain) {
    return queue(domain).readAt();
  }

  /**
   * Looks at the next block of a partition.
   *
   * @param stored the block's own ordinal
   * @throws BrokenRunException if blocks are missing before it
   */
  public void offer(int domain, long stored, ByteBuffer block) {
    DomainQueue queue = queue(domain);
    if (!continues(queue, domain, stored)) {
      return;
    }
    int bytes = block.remaining();
    largest = Math.max(largest, bytes);
    queue.readingFrom(stored + 1);
    int lackedBefore = queue.lacking();
    long spareMost = most - budget;
    boolean spare = fits(spareMost) && memory.used() + bytes <= spareMost;
    int kept = queue.keep(stored, block, fits(budget), spare, memory);
    int awaited = lackedBefore - queue.lacking();
    held += (long) bytes * kept;
    outstanding -= awaited;
    if (queue.isPastFirstEpoch()) {
      lateSpares += kept - awaited;
    }
    if (queue.lacking() == 0) {
      lacking.clear(domain);
    }
  }

  /**
   * Looks at the marker that ends a partition.
   *
   * @param size blocks before it
   * @throws BrokenRunException if blocks are missing before it, or there are none
   */
  public void offerEnd(int domain, long size) {
    DomainQueue queue = queue(domain);
    // A fork begins in a later epoch without knowing it: the marker comes before what it looks for.
    boolean isPast = sizes[domain] == SplitCursor.GROWING && queue.readAt() > size;
    if (!isPast && !continues(queue, domain, size)) {
      return;
    }
    if (size == 0) {
      throw new BrokenRunException(
          "domain " + name(domain) + ", lane " + lane + ": blocks are granted, it has none");
    }
    queue.end(size);
    sizes[domain] = size;
  }

  /** False for what was read before a seek, or lies before the place that was sought. */
  private boolean continues(DomainQueue queue, int domain, long stored) {
    long expected = queue.readAt();
    if (expected == DomainQueue.NOWHERE || stored < expected) {
      return false;
    }
    if (stored > expected) {
      throw new BrokenRunException(
          "domain "
              + name(domain)
              + ", lane "
              + lane
              + ": blocks are missing: expected ordinal "
              + expected
              + ", found "
              + stored);
    }
    return true;
  }

  private String name(int domain) {
    return layout.domains().get(domain);
  }

  /** Blocks of each domain whose end has been read; {@link SplitCursor#GROWING} for others. */
  public long[] sizes() {
    return sizes.clone();
  }

  /** Bytes of the blocks that are here. */
  long held() {
    return held;
  }
}
