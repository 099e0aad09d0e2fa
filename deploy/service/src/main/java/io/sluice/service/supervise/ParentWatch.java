package io.sluice.service.supervise;

import java.io.IOException;
import java.io.UncheckedIOException;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * Ties a child process to its parent: the parent holds the other end of the child's standard input,
 * which therefore ends when the parent does, however it dies.
 */
public final class ParentWatch {
  private ParentWatch() {}

  /** A Ctrl-C reaches every process of the terminal at once; the parent decides when we stop. */
  public static void ignoreInterrupts() {
    Signal.handle(new Signal("INT"), SignalHandler.SIG_IGN);
  }

  /** Returns when standard input has ended; what is written to it means nothing. */
  public static void awaitEnd() {
    try {
      int read = 0;
      while (read >= 0) {
        read = System.in.read();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot watch the parent process", e);
    }
  }

  /** Ends this process, without any shutdown, when the parent has ended. */
  public static void dieWithParent() {
    Thread watch =
        new Thread(
            () -> {
              try {
                awaitEnd();
              } finally {
                Runtime.getRuntime().halt(0);
              }
            },
            "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }
}
