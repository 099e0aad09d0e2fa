package io.sluice.lab.bench.measure;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the threads of this process that run Java have used so far. The compiler's and the
 * collector's threads are left out: what they do depends on how long the process has run.
 */
public final class Usage {
  /** After that more are in vain: the JVM was told to leave them out. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int COLLECTIONS = 5;
  private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final Map<Long, long[]> byThread;

  private Usage(Map<Long, long[]> byThread) {
    this.byThread = byThread;
  }

  /** As of now. */
  public static Usage now() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] ids = threads.getAllThreadIds();
    long[] nanos = threads.getThreadCpuTime(ids);
    long[] bytes = threads.getThreadAllocatedBytes(ids);
    Map<Long, long[]> byThread = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      byThread.put(ids[i], new long[] {Math.max(0, nanos[i]), Math.max(0, bytes[i])});
    }
    return new Usage(byThread);
  }

  /** Processor time since an earlier look, of the threads that still live, in nanoseconds. */
  public long cpuNanosSince(Usage before) {
    return since(before, 0);
  }

  /** Bytes of objects made since an earlier look by the threads that still live. */
  public long bytesSince(Usage before) {
    return since(before, 1);
  }

  private long since(Usage before, int what) {
    long sum = 0;
    for (Map.Entry<Long, long[]> thread : byThread.entrySet()) {
      long[] then = before.byThread.getOrDefault(thread.getKey(), new long[2]);
      sum += thread.getValue()[what] - then[what];
    }
    return sum;
  }

  /**
   * Bytes of the heap that live: the least that some collections in a row leave. What ends, and
   * what cleaners and threads let go of, takes a moment.
   */
  public static long liveHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      least = Math.min(least, leftByACollection());
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
    return least;
  }

  /**
   * Bytes of the heap that were in use right after a collection that was made for this. One that is
   * asked for while native code holds the collector's lock, as lz4's does much of the time, is left
   * out without a word, so it is asked for again until there was one, with pauses in which that
   * code can go on; and it is the collector that says what was left, because on a busy machine much
   * has been made before anyone can look.
   */
  private static long leftByACollection() {
    List<GarbageCollectorMXBean> collectors =
        ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class);
    GarbageCollectorMXBean ofAll = collectors.get(collectors.size() - 1);
    long before = ofAll.getCollectionCount();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    System.gc();
    while (ofAll.getCollectionCount() == before && System.nanoTime() < deadline) {
      LockSupport.parkNanos(PAUSE_NANOS);
      System.gc();
    }
    GcInfo last =
        Objects.requireNonNull(ofAll.getLastGcInfo(), "the JVM makes no collection when asked to");
    Map<String, MemoryUsage> left = last.getMemoryUsageAfterGc();
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(pool -> Objects.requireNonNull(left.get(pool.getName())))
        .mapToLong(MemoryUsage::getUsed)
        .sum();
  }
}
