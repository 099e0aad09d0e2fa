package io.sluice.service.supervise;

import java.time.Duration;
import java.util.List;

/** What can run in a process of its own. */
public interface Program {
  /**
   * Ready to be started.
   *
   * @param marks arguments that mean nothing to the program, by which its process is known
   */
  ProcessBuilder builder(List<String> marks);

  /** Time that it needs between being told to end and its end, to start faster the next time. */
  default Duration lastWords() {
    return Duration.ZERO;
  }
}
