package io.sluice.refine.synthesis;

import java.time.Duration;

/** How a thread waits for time to pass. */
@FunctionalInterface
public interface Sleeper {
  /** Waits as the machine's clock goes. */
  Sleeper SYSTEM = pause -> Thread.sleep(pause.toMillis());

  /** Returns after as long. */
  void sleep(Duration pause) throws InterruptedException;
}
