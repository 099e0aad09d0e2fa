package io.sluice.cli.storage;

import java.util.Locale;

/** Numbers of bytes as people read them. */
public final class ByteText {
  private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final int STEP = 1024;

  private ByteText() {}

  /** Such as {@code 512 B} and {@code 1.5 GiB}. */
  public static String of(long bytes) {
    if (bytes < STEP) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= STEP && unit < UNITS.length - 1) {
      value /= STEP;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }
}
