package io.sluice.client.run;

import io.sluice.schema.EntryDigest;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.TopicReader;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the control log says about one run, read as far as it goes on demand: the run's own log, or,
 * if it has none, the one that all runs shared before. One thread reads; any may ask for the
 * runTimeline.
 */
public final class ControlFollower implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Times that a log is asked and has nothing new, before its last entry is looked at again. */
  private static final int QUIET = 16;

  private final RunInfo info;
  private final Topics topics;
  private final Supplier<TopicReader> open;
  private final RunLogFold run;
  private final long after;
  private @Nullable TopicReader log;
  private String topic = "";
  private boolean came;
  private int quiet;
  private volatile RunTimeline runTimeline;

  /** Follows the run's log in Kafka, once it is asked to. */
  public static ControlFollower of(KafkaAccess access, RunInfo info) {
    return new ControlFollower(info, access.topics(), () -> TopicReader.uncommitted(access));
  }

  /** The same from a snapshot on that is not after a batch, with somebody who folds it, too. */
  public static ControlFollower of(
      KafkaAccess access, RunInfo info, RunLogFold.Applied applied, long after) {
    return new ControlFollower(
        info, access.topics(), () -> TopicReader.uncommitted(access), applied, after);
  }

  /** Follows the run's log as these readers see it, once it is asked to. */
  public ControlFollower(RunInfo info, Topics topics, Supplier<TopicReader> open) {
    this(info, topics, open, new RunLogFold(info.runId()), Long.MAX_VALUE);
  }

  /**
   * The same from a snapshot on that is not after a batch, with somebody who folds the log to
   * something else.
   *
   * @param applied is given each record that applies
   */
  public ControlFollower(
      RunInfo info,
      Topics topics,
      Supplier<TopicReader> open,
      RunLogFold.Applied applied,
      long after) {
    this(info, topics, open, new RunLogFold(info.runId(), applied), after);
  }

  private ControlFollower(
      RunInfo info, Topics topics, Supplier<TopicReader> open, RunLogFold run, long after) {
    this.info = info;
    this.topics = topics;
    this.open = open;
    this.run = run;
    this.after = after;
    this.runTimeline = RunTimeline.of(info.spec());
  }

  /**
   * Brings the run up to date. A run whose own log is gone is deleted.
   *
   * @throws KafkaUnreachableException if no broker answers in time
   */
  public void refresh() {
    TopicReader reader = log == null ? opened() : log;
    log = reader;
    if (topic.isEmpty()) {
      String own = topics.control(info.runId());
      topic = exists(reader, own) ? own : topics.control();
      if (topic.equals(own)) {
        begin(reader);
      }
    } else {
      run.goOn();
    }
    boolean shared = topic.equals(topics.control());
    try {
      came = false;
      reader.catchUp(topic, TIMEOUT, this::take);
      quiet = came ? 0 : quiet + 1;
      if (run.doubts() || quiet >= QUIET) {
        confirm(reader);
      }
    } catch (KafkaUnreachableException e) {
      if (shared) {
        throw e;
      }
      if (exists(reader, topic)) {
        // Consumers were seen to get no more answers of a broker that had come back long ago.
        reader.close();
        log = null;
        throw e;
      }
      run.logIsGone();
    }
    runTimeline = run.runTimeline().orElse(runTimeline);
    if (shared && run.runTimeline().isEmpty()) {
      close(); // not this run's log: it is looked for again
    }
  }

  /** Reads on for a time, or until something comes; it is known only then that nobody answers. */
  public void await(Duration wait) {
    TopicReader reader = log;
    if (reader == null) {
      refresh();
      return;
    }
    run.goOn();
    reader.await(wait, this::take);
    if (run.doubts()) {
      confirm(reader);
    }
    runTimeline = run.runTimeline().orElse(runTimeline);
  }

  /** A reader that goes on after the run's current entry. */
  private TopicReader opened() {
    TopicReader reader = open.get();
    if (!topic.isEmpty()) {
      reader.seek(topic, run.nextOffset());
    }
    return reader;
  }

  /** Goes to the newest snapshot in the run's own log that may be, or to its start. */
  private void begin(TopicReader reader) {
    LogBeginning beginning = reader.before(info.runId(), after, TIMEOUT);
    if (LogOpening.begin(reader, topic, beginning, run)) {
      reader.seek(topic, beginning.offset());
    } else {
      reader.seekToStart(topic);
    }
  }

  /** Looks whether the run's current entry is still there, and goes on after it. */
  private void confirm(TopicReader reader) {
    quiet = 0;
    OptionalLong current = run.currentOffset();
    if (current.isPresent()) {
      long offset = current.getAsLong();
      run.confirm(reader.at(topic, offset, TIMEOUT).map(found -> EntryDigest.of(found.value())));
      reader.seek(topic, run.nextOffset());
      reader.catchUp(topic, TIMEOUT, this::take);
    }
  }

  private static boolean exists(TopicReader reader, String topic) {
    return !reader.partitions(topic, TIMEOUT).isEmpty();
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    came = true;
    ControlRecords.decode(message)
        .ifPresent(
            entry -> {
              long digest = EntryDigest.of(message.value());
              run.apply(message.partition(), message.offset(), entry, digest);
            });
  }

  /** How far the run has come. */
  public RunLogFold run() {
    return run;
  }

  /** Where its batches lie. */
  public RunTimeline runTimeline() {
    return runTimeline;
  }

  /** The run under the specification that governs a batch. */
  public RunInfo infoAt(long batch) {
    return new RunInfo(info.runId(), runTimeline.specAt(batch));
  }

  @Override
  public void close() {
    TopicReader reader = log;
    if (reader != null) {
      reader.close();
      log = null;
    }
    topic = "";
  }
}
