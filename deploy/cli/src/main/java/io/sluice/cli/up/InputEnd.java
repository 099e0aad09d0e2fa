package io.sluice.cli.up;

import java.io.IOException;
import java.io.OutputStream;

/** Ends the process, as a signal would, when its standard input ends. */
final class InputEnd {
  private InputEnd() {}

  static void follow() {
    Thread input = new Thread(InputEnd::await, "sluice-input");
    input.setDaemon(true);
    input.start();
  }

  private static void await() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException gone) {
      // As if it had ended.
    }
    System.exit(0);
  }
}
