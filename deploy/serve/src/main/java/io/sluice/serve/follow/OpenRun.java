package io.sluice.serve.follow;

import io.sluice.control.history.LogReading;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunStart;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.policy.Metrics;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.serve.course.Measured;
import io.sluice.serve.course.RunCourse;
import io.sluice.serve.course.Series;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A run that somebody looks at: all of its log and of what its trainers reported, followed from
 * their beginnings, in bounded memory.
 */
public final class OpenRun implements AutoCloseable {
  private static final int MOST_MEASURED = 2048;

  private final RunStart start;
  private final Feed feed;
  private final LogReading log;
  private final Runnable changed;
  private final CountDownLatch caughtUp = new CountDownLatch(1);
  private final String feedbackTopic;
  private final Measured losses = new Measured(Metrics.EVAL_LOSS, MOST_MEASURED);
  private final Measured alignments = new Measured(Metrics.ALIGNMENT, MOST_MEASURED);
  private @Nullable RunCourse course;
  private String failure = "";

  /**
   * Where a run is, as far as it was read.
   *
   * @param lossReports held-out means of each domain, in nats
   * @param alignmentReports of each domain's gradient with the target's
   */
  public record Picture(
      RunFold fold, RunCourse course, Measured lossReports, Measured alignmentReports) {
    /** The losses of batches that stand. */
    public List<Series.Row> losses() {
      return lossReports.standing(fold.state().lineage());
    }

    /** The alignments of batches that stand. */
    public List<Series.Row> alignments() {
      return alignmentReports.standing(fold.state().lineage());
    }
  }

  /**
   * Begins to read.
   *
   * @param changed told when the run has come further; it must return at once
   */
  OpenRun(KafkaAccess access, RunStart start, Runnable changed) {
    this.start = start;
    this.changed = changed;
    feedbackTopic = access.topics().feedback(start.name());
    log = new LogReading(start, this::accept);
    feed = new Feed(access, "sluice-run-" + start.runId());
    feed.follow(start.topic(), start.offset(), new LogReader());
  }

  /** The run's log, after which come the reports that it tells the timelines of. */
  private final class LogReader implements Feed.Reader {
    private boolean reports;

    @Override
    public void take(ConsumerRecord<byte[], byte[]> message) {
      synchronized (OpenRun.this) {
        log.take(message);
      }
    }

    @Override
    public void pause() {
      if (!reports) {
        reports = true;
        feed.follow(feedbackTopic, new ReportReader());
      }
      changed.run();
    }

    @Override
    public void end(Exception why) {
      fail(why);
    }
  }

  /** What its trainers reported. */
  private final class ReportReader implements Feed.Reader {
    @Override
    public void take(ConsumerRecord<byte[], byte[]> message) {
      report(message);
    }

    @Override
    public void pause() {
      caughtUp.countDown();
      changed.run();
    }

    @Override
    public void end(Exception why) {
      caughtUp.countDown();
    }
  }

  private void accept(ControlEntry entry) {
    if (course == null) {
      course = new RunCourse(log.fold().state().settings().domains().size());
    }
    course.accept(entry);
  }

  private synchronized void report(ConsumerRecord<byte[], byte[]> message) {
    try {
      if (message.value() != null
          && WireCodec.decode(message.value()) instanceof TrainerFeedback feedback
          && feedback.getRunId().equals(start.runId())) {
        List<String> domains = log.fold().state().settings().domains();
        losses.offer(feedback, domains);
        alignments.offer(feedback, domains);
      }
    } catch (WireFormatException | IllegalArgumentException e) {
      // Every reader ignores what is no report; the job that reads it counts it.
      return;
    }
  }

  private synchronized void fail(Exception why) {
    failure = "the run's log cannot be followed: " + why.getMessage();
    caughtUp.countDown();
  }

  /** Waits until all is read that was there when it was opened, at most so long. */
  void awaitWhole(Duration patience) throws InterruptedException {
    caughtUp.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Looks at the run while nothing of it changes; empty while nothing of its log is read.
   *
   * @throws IllegalStateException if its log cannot be followed
   */
  public synchronized <T> Optional<T> look(Function<Picture, T> view) {
    if (!failure.isEmpty()) {
      throw new IllegalStateException(failure);
    }
    if (course == null) {
      return Optional.empty();
    }
    return Optional.of(view.apply(new Picture(log.fold(), course, losses, alignments)));
  }

  @Override
  public void close() {
    feed.close();
  }
}
