package io.sluice.lab.bench.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * Times a short piece of work of one thread, warmed up, and what it allocates. Times are the
 * thread's processor time, so that other work of the machine counts as little as can be.
 */
public final class Stopwatch {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final double seconds;
  private final int repeats;

  /** Written so that no work can be left out. */
  private volatile Object unused = "";

  /**
   * @param seconds of each measurement, and of the warm-up
   * @param repeats measurements after the warm-up
   */
  Stopwatch(double seconds, int repeats) {
    this.seconds = seconds;
    this.repeats = repeats;
  }

  /** Work that is done again and again; what it gives keeps the compiler from leaving it out. */
  public interface Work {
    Object once();
  }

  /** Microseconds and bytes of objects of one piece of work. */
  public record Times(Spread micros, double allocatedBytes) {}

  public Times measure(Work work) {
    run(work);
    List<Double> micros = new ArrayList<>();
    double bytes = 0;
    for (int n = 0; n < repeats; n++) {
      double[] one = run(work);
      micros.add(one[0]);
      bytes = one[1];
    }
    return new Times(Spread.of(micros), bytes);
  }

  private double[] run(Work work) {
    Usage before = Usage.now();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    long start = THREADS.getCurrentThreadCpuTime();
    long count = 0;
    do {
      unused = work.once();
      count++;
    } while (System.nanoTime() < end);
    long nanos = THREADS.getCurrentThreadCpuTime() - start;
    double bytes = (double) Usage.now().bytesSince(before) / count;
    return new double[] {nanos / 1e3 / count, bytes};
  }
}
