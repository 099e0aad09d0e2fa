package io.sluice.lab.bench.wait;

import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.ExposedTime;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A trainer of one rank whose steps all take as long, and that reports made-up losses. */
final class SteadyTrainer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long TOKENS = 1_000;

  private final Loader loader;
  private final FeedbackReporter feedback;
  private final long stepNanos;
  private long longestNanos;

  SteadyTrainer(KafkaAccess kafka, RunInfo run, Duration step) {
    this.stepNanos = step.toNanos();
    StreamOptions options = StreamOptions.defaults().withMetrics(Set.of("eval_loss"));
    this.loader = Loader.open(kafka, run, options);
    this.feedback = FeedbackReporter.open(kafka, loader, InstantSource.system());
  }

  /** Sends the losses that the first round begins with. */
  void begin() {
    publish(0);
  }

  /** Takes a batch, and as long as a step takes for it. */
  void step() {
    long batch = loader.next(PATIENCE).batch();
    if (batch > 1) {
      longestNanos = Math.max(longestNanos, loader.lastWait().time().toNanos());
    }
    long until = System.nanoTime() + stepNanos;
    while (until - System.nanoTime() > 0) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
    if (batch % loader.run().spec().getUpdateEvery() == 0) {
      publish(batch);
    }
    feedback.progress(batch, batch, -1);
  }

  private void publish(long step) {
    Map<String, Measurement.Total> losses = new LinkedHashMap<>();
    List<String> domains = loader.run().spec().getDomains();
    for (int place = 0; place < domains.size(); place++) {
      double loss = 3 + Math.exp(-step / 1000.0) + 0.1 * Math.sin(step / 100.0 + place);
      losses.put(domains.get(place), new Measurement.Total(TOKENS * loss, TOKENS));
    }
    feedback.publish(Measurement.evalLoss(step, step, "step-" + step, losses));
  }

  /** What its steps waited for until now. */
  ExposedTime exposed() {
    return loader.exposed().orElseThrow();
  }

  /** The longest that one step waited, but for the first. */
  Duration longest() {
    return Duration.ofNanos(longestNanos);
  }

  @Override
  public void close() {
    feedback.close();
    loader.close();
  }
}
