package io.sluice.cli.bench;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * What the threads of this process that run Java have used so far. The compiler's and the
 * collector's threads are left out: what they do depends on how long the process has run.
 */
final class Usage {
  private final Map<Long, long[]> byThread;

  private Usage(Map<Long, long[]> byThread) {
    this.byThread = byThread;
  }

  /** As of now. */
  static Usage now() {
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
  long cpuNanosSince(Usage before) {
    return since(before, 0);
  }

  /** Bytes of objects made since an earlier look by the threads that still live. */
  long bytesSince(Usage before) {
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

  /** Bytes of the heap that are in use right after a collection. */
  static long liveHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
