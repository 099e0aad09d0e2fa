package io.sluice.lab.bench.measure;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** What a benchmark says while it runs, with the seconds since it began. */
public final class BenchLog {
  private final PrintWriter out;
  private final LongSupplier nanos;
  private final long start;

  BenchLog(PrintWriter out, LongSupplier nanos) {
    this.out = out;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
  }

  /** What a turn is called, of which those up to 0 warm up. */
  public static String turn(int turn, int repeats) {
    return turn <= 0 ? "warming up" : turn + " of " + repeats;
  }

  public void say(String what, Object... arguments) {
    String line = String.format(Locale.ROOT, what, arguments);
    out.printf(Locale.ROOT, "[%6.1f s] %s%n", (nanos.getAsLong() - start) / 1e9, line);
    out.flush();
  }
}
