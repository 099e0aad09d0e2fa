package io.sluice.cli.doctor;

import io.sluice.cli.options.Printable;

/**
 * One line of what was found.
 *
 * @param check what was looked at
 * @param found what was found, for people
 * @param help the command or setting that helps; '' where nothing has to be done
 */
record Finding(String check, Verdict verdict, String found, String help) {
  /** Checks that there is a way on from what is wrong. */
  Finding {
    if (help.isEmpty() && (verdict == Verdict.WARNING || verdict == Verdict.FAILURE)) {
      throw new IllegalArgumentException("help must be given with a " + verdict.word());
    }
  }

  static Finding ok(String check, String found) {
    return new Finding(check, Verdict.OK, found, "");
  }

  static Finding warning(String check, String found, String help) {
    return new Finding(check, Verdict.WARNING, found, help);
  }

  static Finding failure(String check, String found, String help) {
    return new Finding(check, Verdict.FAILURE, found, help);
  }

  static Finding skipped(String check, String found) {
    return new Finding(check, Verdict.SKIPPED, found, "");
  }

  /** The line. */
  String line() {
    String rest = help.isEmpty() ? "" : "; " + help;
    return "%-8s %s: %s".formatted(verdict.word(), check, Printable.line(found + rest));
  }
}
