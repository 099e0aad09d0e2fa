package io.sluice.jobs.heap;

import java.io.Serializable;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.TaskManagerOptions;

/**
 * The share of each process's heap that what a job keeps there may take, from {@link #LEAST} to
 * {@link #MOST}.
 */
public record HeapShare(double share) implements Serializable {
  /** The least share. */
  public static final double LEAST = 0.01;

  /** The largest share: the rest is Flink's, Kafka's clients' and the collector's. */
  public static final double MOST = 0.9;

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException naming it
   */
  public HeapShare {
    if (!(share >= LEAST && share <= MOST)) {
      throw new IllegalArgumentException(
          "the share of the heap must be from " + LEAST + " to " + MOST + ": " + share);
    }
  }

  /** Bytes of a heap. */
  public long of(long heap) {
    return (long) (share * heap);
  }

  /** Bytes of this process's largest heap. */
  public long bytes() {
    return of(Runtime.getRuntime().maxMemory());
  }

  /**
   * Bytes of this process that each task of an operator may have, as many of them as it may get.
   *
   * @param process Flink's configuration of it, which says how many slots it has
   * @param tasks of the operator, in all processes
   */
  public long ofTask(ReadableConfig process, int tasks) {
    return bytes() / tasks(process, tasks);
  }

  /** Tasks of an operator that one process may get: there is one in each slot at most. */
  public static int tasks(ReadableConfig process, int tasks) {
    return Math.max(1, Math.min(process.get(TaskManagerOptions.NUM_TASK_SLOTS), tasks));
  }

  /**
   * Checks that what cannot be divided fits.
   *
   * @param what needs it, such as "the filters of refinery 'x'"
   * @throws HeapTooSmallException saying what helps
   */
  public void require(String what, long bytes) {
    if (bytes > bytes()) {
      throw new HeapTooSmallException(
          what, bytes, bytes(), share + " of", Runtime.getRuntime().maxMemory());
    }
  }
}
