package io.sluice.cli.ingest;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How far an ingest is, and how fast it goes, as a line every {@link #EVERY} for where there is no
 * terminal.
 */
final class IngestRate {
  static final Duration EVERY = Duration.ofSeconds(10);

  private final String task;
  private final long total;
  private final LongSupplier nanos;
  private final long start;
  private long said;
  private long bytes;
  private long documents;

  /**
   * A rate that begins now.
   *
   * @param total bytes at the end; -1 when unknown
   * @param nanos a clock that never goes back
   */
  IngestRate(String task, long total, LongSupplier nanos) {
    this.task = task;
    this.total = total;
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.said = start;
  }

  long documents() {
    return documents;
  }

  void document() {
    documents++;
  }

  /** Counts bytes that were read; a line if it is time for one. */
  Optional<String> read(long count) {
    bytes += count;
    long now = nanos.getAsLong();
    if (now - said < EVERY.toNanos()) {
      return Optional.empty();
    }
    said = now;
    return Optional.of(line((now - start) / 1e9));
  }

  private String line(double seconds) {
    double perSecond = bytes / seconds;
    return String.format(
        Locale.ROOT,
        "%s: %s MB read, %,d documents written, %.1f MB/s%s",
        task,
        total < 0 ? megabytes(bytes) : megabytes(bytes) + " of " + megabytes(total),
        documents,
        perSecond / 1e6,
        total < bytes || perSecond == 0 ? "" : ", " + left((total - bytes) / perSecond) + " left");
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%,.1f", bytes / 1e6);
  }

  /** Hours, minutes and seconds. */
  private static String left(double seconds) {
    Duration left = Duration.ofSeconds((long) Math.ceil(seconds));
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", left.toHours(), left.toMinutesPart(), left.toSecondsPart());
  }
}
