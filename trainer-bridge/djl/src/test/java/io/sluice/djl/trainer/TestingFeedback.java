package io.sluice.djl.trainer;

import io.sluice.client.feedback.Measurement;
import java.util.ArrayList;
import java.util.List;

/** Feedback that is kept as lines, in the order it was sent. */
final class TestingFeedback implements FeedbackChannel {
  final List<String> sent = new ArrayList<>();
  final List<String> attempts = new ArrayList<>();
  final List<Measurement> measurements = new ArrayList<>();
  Runnable onFlush = () -> {};

  @Override
  public void measured(Measurement measurement) {
    sent.add(
        measurement.metric() + " " + measurement.step() + " " + measurement.domains().keySet());
    attempts.add(measurement.attempt());
    measurements.add(measurement);
  }

  @Override
  public void progress(long step, long oldestCheckpoint) {
    sent.add("progress " + step + " oldest " + oldestCheckpoint);
  }

  @Override
  public void flush() {
    onFlush.run();
    sent.add("flush");
  }

  @Override
  public void close() {
    sent.add("close");
  }
}
