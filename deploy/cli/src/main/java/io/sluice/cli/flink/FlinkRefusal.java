package io.sluice.cli.flink;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.options.Printable;
import io.sluice.schema.Limits;
import java.util.List;

/** Why Flink refuses, or a job of it fails, without the stack traces in which it says so. */
public final class FlinkRefusal {
  private static final String CAUSED = "Caused by: ";
  private static final String SERVERS = "<Exception on server side:";

  private FlinkRefusal() {}

  /** The reason that an answer has; '' of a body that says none. */
  static String of(int status, JsonNode body) {
    StringBuilder said = new StringBuilder("HTTP status " + status);
    for (JsonNode error : body.path("errors")) {
      String line = line(error.asText());
      if (!line.isEmpty() && said.indexOf(line) < 0) {
        said.append(": ").append(line);
      }
      if (said.length() > Limits.TEXT) {
        break;
      }
    }
    return Limits.shortened(said.toString(), Limits.TEXT);
  }

  /** What a stack trace comes from: its last cause, else its first line. */
  public static String line(String trace) {
    List<String> lines = trace.lines().map(String::strip).filter(each -> !each.isEmpty()).toList();
    String last =
        lines.stream().filter(each -> each.startsWith(CAUSED)).reduce("", (before, each) -> each);
    if (!last.isEmpty()) {
      return shown(last.substring(CAUSED.length()));
    }
    return lines.stream()
        .filter(each -> !each.startsWith(SERVERS))
        .findFirst()
        .map(FlinkRefusal::shown)
        .orElse("");
  }

  private static String shown(String line) {
    // Of a class's full name only the last part is for people.
    String named = line.replaceFirst("^(?:[a-z0-9_]+\\.)+(?=[A-Z])", "");
    return Printable.line(Limits.shortened(named, Limits.TEXT));
  }
}
