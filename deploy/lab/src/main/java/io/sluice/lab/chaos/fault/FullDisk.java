package io.sluice.lab.chaos.fault;

import java.io.IOException;

/**
 * A process whose files cannot grow: the system refuses it every write to a file, as a full disk
 * does. It is told so by {@code prlimit}, which a process may be by whoever started it.
 */
public final class FullDisk {
  private FullDisk() {}

  /** Whether this machine has what it takes. */
  public static boolean isPossible() {
    return limit(ProcessHandle.current().pid(), "");
  }

  /** From here on the process can write no file. */
  public static void fill(long pid) {
    limit(pid, "=0:");
  }

  /** It can again; nothing happens if it is gone. */
  public static void empty(long pid) {
    limit(pid, "=unlimited:");
  }

  private static boolean limit(long pid, String bytes) {
    try {
      return new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--fsize" + bytes)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException noSuchProgram) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
