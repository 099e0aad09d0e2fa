package io.sluice.jobs.mix.stream;

/**
 * What a task of the mix may have on its way to the broker, in a process that may have several: a
 * third of the heap for all of them, so that small processes with many tasks do not end for want of
 * memory when brokers are slow.
 *
 * @param heap bytes of the process
 * @param tasks of the job, each with a writer
 */
public record StreamBuffer(long heap, int tasks) {
  /** Least bytes of a writer: the largest block, and some that are sent meanwhile. */
  public static final long LEAST = 20L << 20;

  private static final long THIRD = 3;

  /** That of this process. */
  public static StreamBuffer ofProcess(int tasks) {
    return new StreamBuffer(Runtime.getRuntime().maxMemory(), tasks);
  }

  /** Bytes of a writer's buffer, at most those that are given. */
  public long bytes(long most) {
    return Math.min(most, Math.max(LEAST, heap / THIRD / tasks));
  }

  /** Bytes that the runs of a reader may have unsent together: three quarters of the buffer. */
  public long unsent(long most) {
    return Math.min(most, bytes(Long.MAX_VALUE) / 4 * 3);
  }
}
