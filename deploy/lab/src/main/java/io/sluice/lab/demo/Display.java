package io.sluice.lab.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Where a demo shows itself: one table that is drawn over in place, or plain lines where the output
 * is no terminal.
 */
final class Display {
  private final PrintStream out;
  private final boolean inPlace;
  private final LongSupplier nanoTime;
  private final long start;
  private int drawn;

  Display(PrintStream out, boolean inPlace, LongSupplier nanoTime) {
    this.out = out;
    this.inPlace = inPlace;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /** Says what begins or is done, with the seconds since the demo began. */
  void say(String what) {
    drawn = 0;
    out.printf(Locale.ROOT, "[%6.1f s] %s%n", (nanoTime.getAsLong() - start) / 1e9, what);
    out.flush();
  }

  /**
   * Shows the progress.
   *
   * @param milestone whether it is worth a line where lines stay
   */
  void show(Progress progress, boolean milestone) {
    if (inPlace) {
      draw(progress.table());
    } else if (milestone) {
      say(progress.line());
    }
  }

  private void draw(List<String> lines) {
    if (drawn > 0) {
      out.print("\u001b[" + drawn + "A");
    }
    for (String line : lines) {
      out.print("\u001b[2K" + line + System.lineSeparator());
    }
    out.flush();
    drawn = lines.size();
  }
}
