package io.sluice.jobs.mix.fetch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the blocks of all splits of a process may take of its heap. Splits stand in line in the
 * order in which they came. As many of the first as fit with the least are in, and have equal
 * shares, as large as fit; the others wait. Who is in gets its share at once, less than before when
 * others come in, and opens with it once what is still open beside it leaves the room.
 *
 * <p>Whoever has nothing to fetch makes room for those who wait, and after a while for those whose
 * shares are small. So does who came first, when its turn and that of those who wait have been long
 * enough, and goes to the end of the line.
 */
public final class FetchMemory {
  /** Bytes of a split that is in, at least. */
  public static final long LEAST = 512 << 10;

  /** What a byte of a budget may cost: {@link FetchPlan#EXCESS} of blocks, and a response. */
  static final int EACH = FetchPlan.EXCESS + 1;

  /** A consumer, its thread and its sockets. */
  static final long OF_SPLIT = 1 << 20;

  /** Offsets, granted counts and the consumer's own state. */
  static final long OF_DOMAIN = 2 << 10;

  /** After so long, who holds its share gives way to who waits. */
  static final long TURN_NANOS = 10_000_000_000L;

  private static @Nullable FetchMemory process;

  private final LongSupplier nanos;
  private final List<Claim> line = new ArrayList<>();
  private long bytes;
  private int in;
  private long open;

  /**
   * @param bytes for all splits
   * @param nanos a clock that only goes forward
   */
  public FetchMemory(long bytes, LongSupplier nanos) {
    this.bytes = bytes;
    this.nanos = nanos;
  }

  /**
   * The one of this process.
   *
   * @param bytes for all splits; what was asked for last holds
   */
  public static FetchMemory ofProcess(long bytes) {
    FetchMemory memory;
    synchronized (FetchMemory.class) {
      memory = process == null ? new FetchMemory(bytes, System::nanoTime) : process;
      process = memory;
    }
    memory.resize(bytes);
    return memory;
  }

  private void resize(long wanted) {
    List<Runnable> told;
    synchronized (this) {
      bytes = wanted;
      told = divide();
    }
    told.forEach(Runnable::run);
  }

  /**
   * A split, which is not in line yet.
   *
   * @param most bytes that it has a use for
   * @param changed is run, from any thread, when its share has changed, or it may open
   */
  public Claim claim(int domains, long most, Runnable changed) {
    return new Claim(domains, most, changed);
  }

  /** Bytes for all splits. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Splits that are in. */
  public synchronized int in() {
    return in;
  }

  /** Splits that wait. */
  public synchronized int waiting() {
    return line.size() - in;
  }

  /** Whether a split waits, or has less than it could use. */
  public synchronized boolean isShort() {
    return line.stream().anyMatch(claim -> claim.share < claim.most);
  }

  /**
   * Bytes of a process's memory for blocks that a split is counted with.
   *
   * @param share bytes of blocks that it keeps ready
   */
  public static long cost(long domains, long share) {
    return OF_SPLIT + domains * OF_DOMAIN + EACH * share;
  }

  private static long cost(Claim claim, long share) {
    return cost(claim.domains, share);
  }

  /** Lets in who fits, and gives everyone the same; whom to tell of it. */
  private List<Runnable> divide() {
    long least = 0;
    in = 0;
    for (Claim claim : line) {
      least += cost(claim, Math.min(LEAST, claim.most));
      if (in > 0 && least > bytes) {
        break;
      }
      in++;
    }
    long level = level();
    List<Runnable> told = new ArrayList<>();
    long now = nanos.getAsLong();
    for (int place = 0; place < line.size(); place++) {
      Claim claim = line.get(place);
      long share = place < in ? Math.min(level, claim.most) : 0;
      if (claim.share != share) {
        claim.sinceNanos = (claim.share == 0) == (share == 0) ? claim.sinceNanos : now;
        claim.share = share;
        told.add(claim.changed);
      }
    }
    return told;
  }

  /** The largest step at which all who are in fit; few steps, so that few need to change. */
  private long level() {
    long level = line.stream().mapToLong(claim -> claim.most).max().orElse(LEAST);
    while (level > LEAST && cost(level) > bytes) {
      long half = Math.max(1, Long.highestOneBit(level - 1));
      long between = half + half / 2;
      level = between < level ? between : half;
    }
    return level;
  }

  private long cost(long level) {
    return line.stream()
        .limit(in)
        .mapToLong(claim -> cost(claim, Math.min(level, claim.most)))
        .sum();
  }

  /** A split's place in line, for its task alone but for {@link #closed}. */
  public final class Claim {
    private final long domains;
    private final long most;
    private final Runnable changed;
    private boolean queued;
    private volatile long share;
    private long sinceNanos;
    private boolean idle;
    private long idleSinceNanos;

    private Claim(int domains, long most, Runnable changed) {
      this.domains = domains;
      this.most = most;
      this.changed = changed;
    }

    /** Gets in line, unless it is. */
    public void join() {
      List<Runnable> told = List.of();
      synchronized (FetchMemory.this) {
        if (!queued) {
          queued = true;
          idle = false;
          sinceNanos = nanos.getAsLong();
          line.add(this);
          told = divide();
        }
      }
      told.forEach(Runnable::run);
    }

    /** Leaves the line; what is open is still counted. */
    public void leave() {
      List<Runnable> told = List.of();
      synchronized (FetchMemory.this) {
        if (queued) {
          told = remove();
        }
      }
      told.forEach(Runnable::run);
    }

    private List<Runnable> remove() {
      queued = false;
      share = 0;
      line.remove(this);
      return divide();
    }

    /**
     * Needs nothing. Leaves the line if anyone waits in it, or after a while if shares are small.
     */
    public void giveWay() {
      List<Runnable> told = List.of();
      synchronized (FetchMemory.this) {
        long now = nanos.getAsLong();
        idleSinceNanos = idle ? idleSinceNanos : now;
        idle = true;
        boolean smaller = share < most && now - idleSinceNanos >= TURN_NANOS;
        if (queued && (smaller || in < line.size())) {
          told = remove();
        }
      }
      told.forEach(Runnable::run);
    }

    /**
     * Needs blocks. Goes to the end of the line if its turn is over, and others have waited for as
     * long.
     */
    public void takeTurns() {
      List<Runnable> told = List.of();
      synchronized (FetchMemory.this) {
        idle = false;
        if (share > 0 && in < line.size() && line.get(0) == this) {
          long now = nanos.getAsLong();
          Claim next = line.get(in);
          if (now - sinceNanos >= TURN_NANOS && now - next.sinceNanos >= TURN_NANOS) {
            line.remove(0);
            line.add(this);
            told = divide();
          }
        }
      }
      told.forEach(Runnable::run);
    }

    /** Bytes that it may have; 0 while it waits. */
    public long share() {
      return share;
    }

    /**
     * Takes its share, if what is open leaves the room for it. Give it to {@link #closed} when
     * nothing of it is held.
     *
     * @return 0 if it has to wait
     */
    public long open() {
      synchronized (FetchMemory.this) {
        long taken = share;
        if (taken == 0 || (open > 0 && open + cost(this, taken) > bytes)) {
          return 0;
        }
        open += cost(this, taken);
        return taken;
      }
    }

    /** Nothing is held any longer of what was taken; from any thread. */
    public void closed(long taken) {
      List<Runnable> told;
      synchronized (FetchMemory.this) {
        open -= cost(this, taken);
        told = line.stream().limit(in).map(claim -> claim.changed).distinct().toList();
      }
      told.forEach(Runnable::run);
    }
  }
}
