package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A trainer without a model that attaches, keeps a checkpoint of every batch, and can go back. */
final class SteeredTrainer implements AutoCloseable {
  private final KafkaAccess kafka;
  private final RunInfo run;
  private final NavigableMap<Long, StreamState> checkpoints;
  private final TreeMap<Long, GlobalBatch> batches = new TreeMap<>();
  private Loader stream;
  private FeedbackReporter feedback;
  private double more;

  SteeredTrainer(KafkaAccess kafka, RunInfo run) {
    this(kafka, run, new TreeMap<>(), Loader.open(kafka, run, StreamOptions.defaults()));
    measure(0);
  }

  private SteeredTrainer(
      KafkaAccess kafka, RunInfo run, NavigableMap<Long, StreamState> checkpoints, Loader stream) {
    this.kafka = kafka;
    this.run = run;
    this.checkpoints = checkpoints;
    this.stream = stream;
    this.feedback = FeedbackReporter.open(kafka, stream, InstantSource.system());
  }

  /** A trainer of another run that goes on from a checkpoint of this one. */
  SteeredTrainer forked(RunInfo fork, long batch) {
    StreamState state = checkpoints.get(batch);
    Loader at = Loader.open(kafka, fork, StreamOptions.defaults(), state);
    return new SteeredTrainer(kafka, fork, new TreeMap<>(), at);
  }

  /** Begins again from a checkpoint. */
  void resume(long batch) {
    close();
    stream = Loader.open(kafka, run, StreamOptions.defaults(), checkpoints.get(batch));
    feedback = FeedbackReporter.open(kafka, stream, InstantSource.system());
    batches.tailMap(batch, false).clear();
  }

  /** Lets what is measured from now on be so much greater. */
  void measuresMore(double nats) {
    more = nats;
  }

  /** Trains up to a batch, with an evaluation every 10 steps. */
  void train(long last) {
    long next = stream.state().batch() + 1;
    for (long step = next; step <= last; step++) {
      GlobalBatch batch = stream.next(Patience.MINUTE);
      assertThat(batch.batch()).isEqualTo(step);
      batches.put(step, batch);
      checkpoints.put(step, stream.state());
      measure(step);
      feedback.progress(step, step, Math.max(0, step - 5));
    }
    feedback.flush();
  }

  private void measure(long step) {
    if (step % 10 == 0) {
      Map<String, Measurement.Total> totals = new LinkedHashMap<>();
      for (String domain : stream.runAt(step).spec().getDomains()) {
        double loss = 4 + more - step * (domain.equals("medium") ? .001 : .02);
        totals.put(domain, new Measurement.Total(1000 * loss, 1000));
      }
      feedback.publish(Measurement.evalLoss(step, step, "step-" + step, totals));
      feedback.flush();
    }
  }

  /** Sequences of each domain in a batch. */
  Map<String, Integer> sequences(long batch) {
    Map<String, Integer> counts = new TreeMap<>();
    batches
        .get(batch)
        .sequences()
        .forEach(s -> counts.merge(s.block().getDomain(), 1, Integer::sum));
    return counts;
  }

  GlobalBatch batch(long batch) {
    return batches.get(batch);
  }

  @Override
  public void close() {
    stream.close();
    feedback.close();
  }
}
