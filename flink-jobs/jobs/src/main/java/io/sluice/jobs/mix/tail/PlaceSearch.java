package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.mark.WrittenStreams;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamTarget;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds where runs go on whose streams have lost what a split had written: where they end, as a job
 * without state does. Used by one thread at a time.
 */
public final class PlaceSearch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlaceSearch.class);
  private final Supplier<Consumer<byte[], byte[]>> opening;
  private final Topics topics;
  private final RunStarts starts;
  private final StreamTails tails;
  private final LongSupplier nanos;
  private final Deque<MixSplit> asked = new ArrayDeque<>();

  /** Of whose logs nothing is known now. */
  private final Unanswered<MixSplit> late;

  /** Since when no broker knows a control log, by its topic. */
  private final Map<String, Long> missing = new HashMap<>();

  private @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * Seeks nothing yet.
   *
   * @param opening makes a consumer of control logs
   * @param nanos a clock that only goes forward
   */
  public PlaceSearch(
      Supplier<Consumer<byte[], byte[]>> opening,
      Topics topics,
      StreamTails tails,
      LongSupplier nanos) {
    this.opening = opening;
    this.topics = topics;
    this.starts = new RunStarts(topics);
    this.tails = tails;
    this.nanos = nanos;
    this.late = new Unanswered<>(nanos);
  }

  /** Seeks the ends of the stream that a split writes to. */
  void add(MixSplit split) {
    asked.add(split);
  }

  /** Whether nothing is sought. */
  boolean isIdle() {
    return asked.isEmpty() && late.size() == 0 && tails.waiting() == 0;
  }

  /** Whether something is sought that need not wait for a topic. */
  boolean isBusy() {
    return !asked.isEmpty() || tails.isBusy();
  }

  /** What was found since the last call: each run's lanes, of which others may go on elsewhere. */
  SettledRuns settle() {
    List<SettledRuns.Failed> failed = new ArrayList<>();
    asked.addAll(late.due());
    List<MixSplit> all = List.copyOf(asked);
    TopicEnds.Answers there = tails.ask(all.stream().map(this::log).collect(Collectors.toSet()));
    missing.keySet().removeAll(there.ends().keySet());
    missing.keySet().removeAll(there.unknown());
    for (MixSplit next : all) {
      TopicEnds.Ends found = there.of(log(next));
      if (there.isUnknown(log(next))) {
        asked.remove(next);
        late.add(next, log(next));
      } else if (found != null) {
        asked.remove(next);
        begin(next, found, failed);
      } else if (isGone(log(next))) {
        asked.remove(next);
        failed.add(withoutStart(next));
      }
    }
    late.notice().ifPresent(LOG::warn);
    SettledRuns settled = tails.settle();
    failed.addAll(settled.failed());
    return new SettledRuns(settled.splits(), settled.ended(), failed);
  }

  private String log(MixSplit split) {
    return split.control(topics).topic();
  }

  private boolean isGone(String log) {
    long now = nanos.getAsLong();
    return now - missing.computeIfAbsent(log, l -> now) >= WrittenStreams.UNSURE.toNanos();
  }

  /** Reads how a run begins; one whose log does not answer holds up no other. */
  private void begin(MixSplit next, TopicEnds.Ends log, List<SettledRuns.Failed> failed) {
    try {
      List<MixSplit> lanes = starts.of(next, new PartitionReading(consumer(), nanos), log);
      if (lanes.isEmpty()) {
        failed.add(withoutStart(next));
      } else {
        tails.add(lanes);
      }
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("Cannot read how run {} begins, trying again", next.runId(), e);
      late.add(next, log(next));
    }
  }

  private SettledRuns.Failed withoutStart(MixSplit split) {
    StreamTarget target =
        new StreamTarget(
            split.runId(), topics.stream(split.layout().run()), split.layout().streamTopicId());
    return new SettledRuns.Failed(
        target,
        Set.of(split.splitId()),
        "its stream has lost records, and control log "
            + split.control(topics)
            + " does not say how it begins");
  }

  private Consumer<byte[], byte[]> consumer() {
    Consumer<byte[], byte[]> opened = consumer;
    if (opened == null) {
      opened = opening.get();
      consumer = opened;
    }
    return opened;
  }

  /** Ends a call that waits, soon; from any thread. */
  void stop() {
    tails.stop();
    Consumer<byte[], byte[]> opened = consumer;
    if (opened != null) {
      opened.wakeup();
    }
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
    tails.close();
  }
}
