package io.sluice.lab.bench.end;

import com.fasterxml.jackson.annotation.JsonValue;

/** Where a reader's tokens come from. */
enum Delivery {
  /** The stream has them. */
  TOKENS("tokens"),
  /** Files of the dataset's store have them, and the run's log says which: there is no stream. */
  DERIVED("derived"),
  /** Files of the reader's machine have them, and nobody mixes but the reader. */
  MEMORY_MAP("memory-map");

  private final String text;

  Delivery(String text) {
    this.text = text;
  }

  @JsonValue
  String text() {
    return text;
  }
}
