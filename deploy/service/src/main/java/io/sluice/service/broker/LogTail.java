package io.sluice.service.broker;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a log file, for a message. */
final class LogTail {
  private LogTail() {}

  /** At most the given number of last lines, each indented; says so when there is none. */
  static String of(Path file, int lines) {
    try {
      List<String> all = Files.readAllLines(file, Charset.defaultCharset());
      if (all.isEmpty()) {
        return "  (empty)";
      }
      return "  " + String.join("\n  ", all.subList(Math.max(0, all.size() - lines), all.size()));
    } catch (IOException e) {
      return "  (cannot be read: " + e.getMessage() + ")";
    }
  }
}
