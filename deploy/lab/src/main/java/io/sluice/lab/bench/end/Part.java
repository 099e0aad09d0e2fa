package io.sluice.lab.bench.end;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Whose processes have a part in delivering tokens. */
enum Part {
  BROKER,
  JOB,
  READER;

  @JsonValue
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
