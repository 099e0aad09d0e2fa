package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.block.Sequence;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A trainer without a model: it checks the order of what it reads and reports given losses. */
public final class ScriptedTrainer implements AutoCloseable {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));

  private final RunInfo run;
  private final Loader stream;
  private final FeedbackReporter feedback;
  private final List<GlobalBatch> batches = new ArrayList<>();
  private long nextIndex;

  /** The mean held-out loss of a domain at a step. */
  public interface Losses {
    double at(long step, String domain);
  }

  public ScriptedTrainer(KafkaAccess kafka, RunInfo run) {
    this.run = run;
    this.stream = Loader.open(kafka, run, StreamOptions.defaults());
    this.feedback = FeedbackReporter.open(kafka, run, Reporter.single(), InstantSource.system());
  }

  /** Trains up to a step, reporting losses at every multiple of {@code every}. */
  public ScriptedTrainer train(long lastStep, long every, Losses losses) {
    if (batches.isEmpty()) {
      report(0, every, losses);
    }
    for (long step = batches.size() + 1L; step <= lastStep; step++) {
      GlobalBatch batch = stream.next(PATIENCE);
      assertThat(batch.batch()).isEqualTo(step);
      for (Sequence sequence : batch.sequences()) {
        assertThat(sequence.index()).isEqualTo(nextIndex++);
      }
      batches.add(batch);
      report(step, every, losses);
      feedback.progress(step, step, -1);
    }
    feedback.flush();
    return this;
  }

  /** Reports the losses of a step without having trained it. */
  void claim(long step, Losses losses) {
    report(step, step, losses);
    feedback.flush();
  }

  private void report(long step, long every, Losses losses) {
    if (every == 0 || step % every != 0) {
      return;
    }
    Map<String, Measurement.Total> totals = new LinkedHashMap<>();
    for (String domain : run.spec().getDomains()) {
      totals.put(domain, new Measurement.Total(1000 * losses.at(step, domain), 1000));
    }
    feedback.publish(Measurement.evalLoss(step, step, "step-" + step, totals));
  }

  public List<GlobalBatch> batches() {
    return batches;
  }

  /** Sequences of each domain in batches (after, to]. */
  Map<String, Integer> sequences(long after, long to) {
    Map<String, Integer> counts = new TreeMap<>();
    for (GlobalBatch batch : batches) {
      if (batch.batch() > after && batch.batch() <= to) {
        batch.sequences().forEach(s -> counts.merge(s.block().getDomain(), 1, Integer::sum));
      }
    }
    return counts;
  }

  @Override
  public void close() {
    stream.close();
    feedback.close();
  }
}
