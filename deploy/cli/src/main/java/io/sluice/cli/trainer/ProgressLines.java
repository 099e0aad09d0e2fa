package io.sluice.cli.trainer;

import io.sluice.client.feedback.Measurement;
import io.sluice.djl.trainer.StepReport;
import io.sluice.djl.trainer.TrainingObserver;
import io.sluice.djl.trainer.TrainingSummary;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A training as plain lines: what is measured, its steps, at most one line a second, and how far a
 * step that takes long has come. Once it is known that the training will take hours, a line says
 * so.
 */
final class ProgressLines implements TrainingObserver {
  private static final long BETWEEN_STEPS = 1_000_000_000;
  private static final long BETWEEN_PARTS = 5 * BETWEEN_STEPS;
  private static final long HOUR = 3600 * BETWEEN_STEPS;

  private final PrintWriter out;
  private final String run;
  private final long steps;
  private final LongSupplier nanoTime;
  private final Supplier<String> service;
  private long printed;
  private boolean any;
  private long stepBegan;
  private boolean warned;
  private volatile boolean underWay;

  /**
   * @param service what the service says that the run waits for; '' when it says nothing
   */
  ProgressLines(
      PrintWriter out, String run, long steps, LongSupplier nanoTime, Supplier<String> service) {
    this.out = out;
    this.run = run;
    this.steps = steps;
    this.nanoTime = nanoTime;
    this.service = service;
  }

  @Override
  public void onWait(long batch, Duration waited, String why) {
    String says = service.get();
    line(
        "batch %d has not come for %d min: %s%s; 'sluice run show %s' shows where the run stands",
        batch, waited.toMinutes(), why, says.isEmpty() ? "" : "; the service: " + says, run);
  }

  @Override
  public void onPart(long step, int done, int sequences) {
    long now = nanoTime.getAsLong();
    if (done == 0) {
      stepBegan = now;
      return;
    }
    warnOfHours(now - stepBegan, (double) done / sequences, step);
    if (done < sequences && now - Math.max(stepBegan, printed) >= BETWEEN_PARTS) {
      printed = now;
      line("step %d of %d: %,d of %,d sequences", step, steps, done, sequences);
    }
  }

  private void warnOfHours(long nanos, double part, long step) {
    double rest = nanos / part * (steps - step + 1 - part);
    if (!warned && nanos >= BETWEEN_STEPS && rest > HOUR) {
      warned = true;
      line(
          "at this rate step %d is reached in about %.1f hours; a smaller batch of the run, a"
              + " smaller model or fewer --steps take less",
          steps, rest / HOUR);
    }
  }

  @Override
  public void onStep(StepReport report) {
    underWay = true;
    long now = nanoTime.getAsLong();
    if (any && now - printed < BETWEEN_STEPS && report.step() < steps) {
      return;
    }
    any = true;
    printed = now;
    line(
        "step %d of %d: loss %.4f, %.0f tokens/s, waited %.1f ms, weights version %d",
        report.step(),
        steps,
        report.loss(),
        perSecond(report.tokens(), report.stepNanos() + report.waitNanos()),
        report.waitNanos() / 1e6,
        report.weightsVersion());
  }

  @Override
  public void onMeasurement(Measurement measurement) {
    underWay = true;
    StringJoiner values = new StringJoiner(", ");
    measurement
        .domains()
        .forEach(
            (domain, total) ->
                values.add(
                    domain + String.format(Locale.ROOT, " %.4f", total.sum() / total.count())));
    line("step %d: %s %s", measurement.step(), measurement.metric(), values);
  }

  /** Whether the training has begun; any thread may ask. */
  boolean underWay() {
    return underWay;
  }

  /** The last line. */
  void end(TrainingSummary summary) {
    String why =
        switch (summary.end()) {
          case COMPLETED -> "done";
          case RUN_ENDED -> summary.detail();
          case RUN_LOST -> "not done";
          case INTERRUPTED -> "stopped";
        };
    if (summary.lastStep() < summary.firstStep()) {
      line("%s: no step was trained after step %d", why, summary.lastStep());
      return;
    }
    long nanos = summary.waitNanos() + summary.stepNanos() + summary.feedbackNanos();
    line(
        "%s: trained steps %d to %d, loss %.4f, %d tokens in %.1f s, %.1f %% of it waiting",
        why,
        summary.firstStep(),
        summary.lastStep(),
        summary.lastLoss(),
        summary.tokens(),
        nanos / 1e9,
        100.0 * summary.waitNanos() / Math.max(1, nanos));
  }

  private static double perSecond(long tokens, long nanos) {
    return tokens / (Math.max(1, nanos) / 1e9);
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
