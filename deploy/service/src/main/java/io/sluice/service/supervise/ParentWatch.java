package io.sluice.service.supervise;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Ties a child process to its parent: the parent holds the other end of the child's standard input,
 * which therefore ends when the parent does, however it dies.
 */
public final class ParentWatch {
  private ParentWatch() {}

  /** A Ctrl-C reaches every process of the terminal at once; the parent decides when we stop. */
  public static void ignoreInterrupts() {
    try {
      // The JDK supports no other API for this, and javac warns of it wherever it is named.
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      Object ignore = handler.getField("SIG_IGN").get(null);
      signal.getMethod("handle", signal, handler).invoke(null, interrupt, ignore);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM cannot ignore interrupts", e);
    }
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
