package io.sluice.service.supervise;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that does nothing until its parent ends; a deaf one goes on when it is asked to end.
 */
final class Sleeper {
  /** What it says on standard output when it sleeps, and is deaf if it shall be. */
  static final String ASLEEP = "asleep";

  private static final String DEAF = "deaf";

  private Sleeper() {}

  /** One that ends at signal 15. */
  static JavaProcess program() {
    return new JavaProcess(Sleeper.class.getName(), List.of("-Xshare:auto"), List.of());
  }

  /** One that ends at signal 9 alone. */
  static JavaProcess deaf() {
    return new JavaProcess(Sleeper.class.getName(), List.of("-Xshare:auto"), List.of(DEAF));
  }

  public static void main(String[] args) {
    if (List.of(args).contains(DEAF)) {
      Runtime.getRuntime().addShutdownHook(new Thread(Sleeper::sleepOn));
    }
    System.out.println(ASLEEP);
    ParentWatch.awaitEnd();
  }

  private static void sleepOn() {
    while (true) {
      LockSupport.park();
    }
  }
}
