package io.sluice.lab.bench.end;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** When a reader comes. */
enum Turn {
  /** While the rows are mixed. */
  LIVE,
  /** When all of them lie there. */
  FINISHED;

  @JsonValue
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
