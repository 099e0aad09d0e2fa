package io.sluice.lab.bench.end;

import java.util.Locale;

/** Which of Sluice's clients a reader has. */
enum Client {
  JAVA,
  PYTHON;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
