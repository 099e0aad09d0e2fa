package io.sluice.cli.options;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

/**
 * Says again and again where something stands: on a terminal in place, else one block after
 * another.
 *
 * @param inPlace whether the output is a terminal
 * @param every from one look to the next
 * @param pause what passes meanwhile
 */
public record Watch(
    PrintWriter out, boolean inPlace, Duration every, InstantSource clock, Pause pause) {
  private static final String CLEAR = "\u001b[H\u001b[2J";
  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  /** Lets a time pass. */
  public interface Pause {
    void await(Duration time) throws InterruptedException;
  }

  /** Returns when this thread is interrupted. */
  public void run(Supplier<List<String>> look) {
    boolean first = true;
    try {
      while (true) {
        show(look.get(), first);
        first = false;
        pause.await(every);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void show(List<String> lines, boolean first) {
    String end = inPlace ? REST_OF_LINE : "";
    // What was there is written over rather than cleared, which would flicker.
    out.print(inPlace ? (first ? CLEAR : HOME) : first ? "" : System.lineSeparator());
    out.println("as of " + clock.instant().truncatedTo(ChronoUnit.SECONDS) + end);
    lines.forEach(line -> out.println(line + end));
    out.print(inPlace ? REST_OF_SCREEN : "");
    out.flush();
  }
}
