package io.sluice.cli.doctor;

import java.util.Locale;

/** What a check comes to. */
enum Verdict {
  OK,
  /** Works, and should be looked at. */
  WARNING,
  /** Does not work, or will not. */
  FAILURE,
  /** Could not be looked at. */
  SKIPPED;

  /** The word that people and programs read. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
