package io.sluice.cli.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A linear axis.
 *
 * @param low value at its beginning
 * @param high value at its end, above low
 * @param step between ticks
 */
public record Axis(double low, double high, double step) {
  private static final int MOST_TICKS = 6;

  /** An axis that begins and ends with the data. */
  public static Axis exact(double low, double high) {
    double end = high > low ? high : low + 1;
    return new Axis(low, end, tickStep(end - low));
  }

  /** An axis that goes to the next tick beyond the data, on either side. */
  public static Axis covering(double low, double high) {
    double around = high > low ? 0 : Math.max(1e-3, Math.abs(low) / 10);
    double step = tickStep(high - low + 2 * around);
    return new Axis(
        Math.floor((low - around) / step + 1e-9) * step,
        Math.ceil((high + around) / step - 1e-9) * step,
        step);
  }

  /** Where a value is, from 0 at the beginning to 1 at the end. */
  public double at(double value) {
    return (value - low) / (high - low);
  }

  /** The round numbers on it. */
  public List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    long first = (long) Math.ceil(low / step - 1e-9);
    for (long n = first; n * step <= high + 1e-9 * step; n++) {
      ticks.add(n * step);
    }
    return ticks;
  }

  /** A tick in as many decimals as tell it from its neighbours. */
  public String label(double tick) {
    if (Math.abs(high) >= 1e4 || Math.abs(low) >= 1e4) {
      return large(tick);
    }
    int decimals = (int) Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    return String.format(Locale.ROOT, "%." + decimals + "f", tick + 0.0);
  }

  private String large(double tick) {
    double top = Math.max(Math.abs(low), Math.abs(high));
    int thousands = Math.min(4, (int) Math.floor(Math.log10(top) / 3));
    double unit = Math.pow(1000, thousands);
    int decimals = (int) Math.max(0, Math.ceil(-Math.log10(step / unit) - 1e-9));
    String number = String.format(Locale.ROOT, "%." + decimals + "f", tick / unit);
    return tick == 0 ? "0" : number + List.of("", "k", "M", "G", "T").get(thousands);
  }

  private static double tickStep(double range) {
    double raw = range / MOST_TICKS;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    for (double nice : new double[] {1, 2, 5}) {
      if (raw <= nice * power * (1 + 1e-9)) {
        return nice * power;
      }
    }
    return 10 * power;
  }
}
