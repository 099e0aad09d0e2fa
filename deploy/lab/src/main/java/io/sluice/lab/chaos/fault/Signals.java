package io.sluice.lab.chaos.fault;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Stops processes and lets them go on. */
public final class Signals {
  private Signals() {}

  /** The process does nothing from here on, but is alive. */
  public static void stop(long pid) {
    send("-STOP", pid);
  }

  /** A stopped process goes on; nothing happens if it is gone. */
  public static void goOn(long pid) {
    send("-CONT", pid);
  }

  private static void send(String signal, long pid) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(pid))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run 'kill " + signal + " " + pid + "'", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
