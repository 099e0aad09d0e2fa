package io.sluice.client.feedback;

import io.sluice.client.error.FeedbackLostException;
import io.sluice.client.error.RankTakenException;
import io.sluice.client.run.FeedbackSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says again what a rank said last while it waits for a batch: the job may never have heard it, for
 * what comes early is kept only so far, and a broker may lose what it acknowledged with its power.
 * What the job has heard, it passes over. Thread-safe.
 */
final class Repeater implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Repeater.class);

  private final FeedbackSource source;
  private final String runId;
  private final Outbox outbox;
  private final Repetition repetition;
  private final LastWords words = new LastWords();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "sluice-repeat");
            daemon.setDaemon(true);
            return daemon;
          });
  private boolean looking;

  Repeater(FeedbackSource source, Outbox outbox, Repetition repetition) {
    this.source = source;
    this.runId = source.run().runId();
    this.outbox = outbox;
    this.repetition = repetition;
  }

  /** The rank says something, from which its silence begins anew. */
  synchronized void speaks() {
    repetition.beginAnew();
    if (!looking) {
      looking = true;
      var unused = thread.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }
  }

  /** Keeps a record that is sent; see {@link LastWords#said}. */
  void said(SpecificRecordBase message, byte[] value, long openTo) {
    words.said(message, value, openTo);
  }

  /** Repeats what it is time to repeat. */
  synchronized void look() {
    if (!source.waits()) {
      repetition.beginAnew();
    } else if (repetition.isDue()) {
      repeat();
    }
  }

  private void repeat() {
    try {
      source.requireHeld();
      source.exposed().ifPresent(words::exposed);
      List<byte[]> again = words.standing(source::timelineOf, source.timeline());
      if (outbox.putIfIdle(again.stream().<Supplier<byte[]>>map(value -> () -> value).toList())) {
        LOG.info(
            "run {} gives {} no batch: what it said last is said again, {} records",
            runId,
            source.rank(),
            again.size());
      }
    } catch (RankTakenException | FeedbackLostException e) {
      LOG.debug("nothing is said again: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
