package io.sluice.cli.options;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How bootstrap servers are written: {@code HOST:PORT}, or several with commas between. */
final class KafkaServers {
  /** What a list must be, for messages. */
  static final String FORM = "HOST:PORT, or several with commas between";

  private static final Pattern SERVER =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s:/]+):(\\d{1,5})");
  private static final int LAST_PORT = 65_535;

  private KafkaServers() {}

  /** Whether a text is such a list. */
  static boolean isList(String text) {
    for (String server : text.split(",", -1)) {
      Matcher parts = SERVER.matcher(server.strip());
      if (!parts.matches() || !isPort(Integer.parseInt(parts.group(2)))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPort(int port) {
    return port >= 1 && port <= LAST_PORT;
  }
}
