package io.sluice.client.run;

import io.sluice.schema.ExposedWait;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How long a training loop stood still for data, by cause, next to the time of its steps. A step
 * lasts from one batch that was handed out to the next, and so includes what the loop waited for
 * that one. Immutable.
 */
public final class ExposedTime {
  /** Of a loop that has not made a step. */
  public static final ExposedTime NONE = new ExposedTime(0, Map.of());

  /** What would be shown as 0.00 % is not. */
  private static final double LEAST_SHOWN = 0.00005;

  private final long stepNanos;
  private final EnumMap<WaitCause, Long> waitNanos = new EnumMap<>(WaitCause.class);

  /**
   * Times of some steps.
   *
   * @param stepNanos of all steps, at least what they waited
   * @param waitNanos what of it was waited; a cause may be left out
   */
  public ExposedTime(long stepNanos, Map<WaitCause, Long> waitNanos) {
    this.stepNanos = stepNanos;
    this.waitNanos.putAll(waitNanos);
  }

  /** These steps and those. */
  public ExposedTime plus(ExposedTime more) {
    EnumMap<WaitCause, Long> sum = new EnumMap<>(waitNanos);
    more.waitNanos.forEach((cause, nanos) -> sum.merge(cause, nanos, Long::sum));
    return new ExposedTime(stepNanos + more.stepNanos, sum);
  }

  /** Time of the steps, in nanoseconds. */
  public long stepNanos() {
    return stepNanos;
  }

  /** What the steps waited for this, in nanoseconds. */
  public long waitNanos(WaitCause cause) {
    return waitNanos.getOrDefault(cause, 0L);
  }

  /** What the steps waited, in nanoseconds. */
  public long waitNanos() {
    return waitNanos.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The part of the steps' time that was waited, in [0, 1]; 0 before the first step. */
  public double share() {
    return share(waitNanos());
  }

  /** The part of the steps' time that was waited for this, in [0, 1]. */
  public double share(WaitCause cause) {
    return share(waitNanos(cause));
  }

  /** The same for each cause, by its label. */
  public Map<String, Double> shares() {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (WaitCause cause : WaitCause.values()) {
      shares.put(cause.label(), share(cause));
    }
    return shares;
  }

  private double share(long nanos) {
    return stepNanos == 0 ? 0 : (double) nanos / stepNanos;
  }

  /** What goes on the wire. */
  public ExposedWait toWire() {
    return new ExposedWait(
        millis(stepNanos),
        millis(waitNanos(WaitCause.GRANT)),
        millis(waitNanos(WaitCause.SUPPLY)),
        millis(waitNanos(WaitCause.EMISSION)),
        millis(waitNanos(WaitCause.BROKER)),
        millis(waitNanos(WaitCause.NETWORK)),
        millis(waitNanos(WaitCause.DECODE)));
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /** What came over the wire. */
  public static ExposedTime of(ExposedWait wire) {
    Map<WaitCause, Long> waits = new EnumMap<>(WaitCause.class);
    waits.put(WaitCause.GRANT, nanos(wire.getGrantMillis()));
    waits.put(WaitCause.SUPPLY, nanos(wire.getSupplyMillis()));
    waits.put(WaitCause.EMISSION, nanos(wire.getEmissionMillis()));
    waits.put(WaitCause.BROKER, nanos(wire.getBrokerMillis()));
    waits.put(WaitCause.NETWORK, nanos(wire.getNetworkMillis()));
    waits.put(WaitCause.DECODE, nanos(wire.getDecodeMillis()));
    return new ExposedTime(nanos(wire.getStepMillis()), waits);
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Such as {@code 0.31 % of step time (grant 0.30 %, network 0.01 %)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(percent(share())).append(" of step time");
    String separator = " (";
    for (WaitCause cause : WaitCause.values()) {
      if (share(cause) >= LEAST_SHOWN) {
        text.append(separator).append(cause.label()).append(' ').append(percent(share(cause)));
        separator = ", ";
      }
    }
    return text.append(separator.equals(", ") ? ")" : "").toString();
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
