package io.sluice.service.supervise;

import java.nio.file.Path;
import java.util.List;

/**
 * What a supervised process is.
 *
 * @param name also names its pid file and its log
 * @param program what runs
 * @param scratch directories that are emptied before each start
 */
public record Supervised(String name, JavaProcess program, List<Path> scratch) {
  /** Copies the list. */
  public Supervised {
    scratch = List.copyOf(scratch);
  }

  /** A process without directories of its own. */
  public static Supervised of(String name, JavaProcess program) {
    return new Supervised(name, program, List.of());
  }
}
