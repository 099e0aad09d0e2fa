package io.sluice.lab.chaos.history;

import java.util.Locale;

/** What is known of an operation. */
public enum Outcome {
  /** It begins. */
  INVOKE,

  /** It has happened. */
  OK,

  /** Nobody knows whether it has happened. */
  INFO;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
