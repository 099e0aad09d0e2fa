package io.sluice.djl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Feedback that is kept as lines, in the order it was sent. */
final class TestingFeedback implements FeedbackChannel {
  final List<String> sent = new ArrayList<>();
  final List<String> attempts = new ArrayList<>();
  Runnable onFlush = () -> {};

  @Override
  public void evalLoss(long step, String attempt, Map<String, TokenSum> losses) {
    sent.add("loss " + step + " " + losses.keySet());
    attempts.add(attempt);
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
