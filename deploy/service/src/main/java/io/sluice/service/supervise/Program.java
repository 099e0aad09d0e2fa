package io.sluice.service.supervise;

import java.util.List;

/** What can run in a process of its own. */
public interface Program {
  /**
   * Ready to be started.
   *
   * @param marks arguments that mean nothing to the program, by which its process is known
   */
  ProcessBuilder builder(List<String> marks);
}
