package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.mark.StreamMarks;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.RunOutline;
import io.sluice.jobs.mix.tail.TopicEnds.Answers;
import io.sluice.jobs.mix.tail.TopicEnds.Ends;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.LogBeginnings;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs whose streams may have records that no state knows of: each goes on where its stream ends. A
 * run without any begins at once; then come those that can still be granted something, and last
 * those that have ended, most of which need nothing more. Used by one thread at a time.
 */
public final class StreamTails implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamTails.class);

  /** What one call may take, so that runs which are found meanwhile do not wait for all others. */
  private static final long STEP_NANOS = Duration.ofSeconds(2).toNanos();

  private static final int TOPICS_AT_ONCE = 500;
  private static final int LOGS_AT_ONCE = 250;

  /** Bytes of entries that need not be read again. */
  private static final long KEPT = 16 << 20;

  private final Supplier<Consumer<byte[], byte[]>> opening;
  private final TopicEnds topicEnds;
  private final StreamMarks marks;
  private final KafkaAccess access;
  private final Topics topics;
  private final long window;
  private final LongSupplier nanos;
  private final Deque<Found> found = new ArrayDeque<>();

  /** Runs of whose stream or log nothing is known now. */
  private final Unanswered<Found> late;

  private final Deque<Found> written = new ArrayDeque<>();
  private final Deque<Outlined> live = new ArrayDeque<>();
  private final Deque<Outlined> ended = new ArrayDeque<>();
  private final KeptEntries kept = new KeptEntries(KEPT);
  private volatile boolean stopped;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;

  /** A run as it starts, and where its stream's topic ends; null if that is another run's. */
  private record Found(List<MixSplit> lanes, @Nullable Ends stream) {
    MixSplit first() {
      return lanes.get(0);
    }
  }

  /** A run whose log was read. */
  private record Outlined(RunOutline run, Found from) {}

  /**
   * Of no runs yet.
   *
   * @param opening makes the one consumer that reads all
   * @param window bytes of a stream partition that a writer may have on their way to the broker
   */
  public StreamTails(
      Supplier<Consumer<byte[], byte[]>> opening,
      TopicEnds topicEnds,
      StreamMarks marks,
      KafkaAccess access,
      long window,
      LongSupplier nanos) {
    this.opening = opening;
    this.topicEnds = topicEnds;
    this.marks = marks;
    this.access = access;
    this.topics = access.topics();
    this.window = window;
    this.nanos = nanos;
    this.late = new Unanswered<>(nanos);
  }

  /** Takes in a run, as the splits of its lanes are when it starts. */
  public void add(List<MixSplit> lanes) {
    found.add(new Found(lanes, null));
  }

  /**
   * Runs that have nothing left to emit, as was found out before.
   *
   * @param splits ids of their splits
   * @param unknown runs that may be among them: they are to be asked for again
   */
  public record Whole(Set<String> splits, Set<String> unknown) {
    /** Copies the sets. */
    public Whole {
      splits = Set.copyOf(splits);
      unknown = Set.copyOf(unknown);
    }
  }

  /**
   * Which of the runs with logs of their own have nothing left to emit.
   *
   * @param runIds some of them
   * @param ended those of which that need not be found out: nobody goes on with them
   * @param all whether there are no others
   */
  public Whole whole(Collection<String> runIds, Set<String> ended, boolean all) {
    Set<String> splits = new HashSet<>();
    WholeStreams.Belief belief = wholeStreams().believed(runIds, ended, all);
    belief
        .lanes()
        .forEach(
            (runId, lanes) ->
                IntStream.range(0, lanes).forEach(lane -> splits.add(MixSplit.id(runId, lane))));
    return new Whole(splits, belief.unknown());
  }

  /**
   * Runs have ended, and all that they were granted is written.
   *
   * @param runs how many lanes each has
   */
  public void delivered(Map<String, Integer> runs) {
    Map<String, String> names = new HashMap<>();
    runs.keySet().forEach(id -> names.put(id, Topics.runOf(id)));
    try {
      Answers streams =
          topicEnds.of(names.values().stream().map(topics::stream).collect(Collectors.toSet()));
      List<WholeStreams.Whole> whole = new ArrayList<>();
      names.forEach(
          (id, run) -> {
            Ends stream = streams.of(topics.stream(run));
            if (stream != null) {
              int lanes = runs.getOrDefault(id, 1);
              whole.add(new WholeStreams.Whole(id, run, lanes, WholeStreams.LAST, stream));
            }
          });
      mark(whole);
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      LOG.warn("{} runs have ended; a start without state reads their streams", runs.size(), e);
    }
  }

  /** Keeps that runs need nothing; without it, they are looked at again. */
  private void mark(List<WholeStreams.Whole> runs) {
    if (runs.isEmpty()) {
      return;
    }
    try {
      wholeStreams().mark(runs);
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("{} runs need nothing; a start without state looks again", runs.size(), e);
    }
  }

  private WholeStreams wholeStreams() {
    return new WholeStreams(new PartitionReading(consumer()), topicEnds, marks, topics);
  }

  /** What is known of topics. */
  Answers ask(Set<String> names) {
    return names.isEmpty() ? new Answers(Map.of(), Set.of()) : topicEnds.of(names);
  }

  /** The topics among these of which nothing is known now. */
  public Set<String> unknown(Set<String> names) {
    return ask(names).unknown();
  }

  /** Runs that are not settled. */
  public int waiting() {
    return found.size() + late.size() + written.size() + live.size() + ended.size();
  }

  /** Whether some of them need not wait for a topic. */
  boolean isBusy() {
    return waiting() > late.size();
  }

  /** Settles some of the runs; a while later the next ones. */
  public SettledRuns settle() {
    Settling settling = new Settling(topics);
    int before = waiting();
    long until = nanos.getAsLong() + STEP_NANOS;
    try {
      look(settling);
      while (!written.isEmpty() && isTime(until)) {
        outline(settling);
      }
      while (isTime(until) && (!live.isEmpty() || (written.isEmpty() && !ended.isEmpty()))) {
        goOn(live.isEmpty() ? ended.remove() : live.remove(), settling);
      }
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      // Whatever it is: those that are settled by now are not asked for again.
      LOG.warn("Cannot look where {} streams end, trying again", waiting(), e);
    }
    mark(settling.whole());
    late.notice().ifPresent(LOG::warn);
    if (waiting() > 0 && waiting() < before) {
      LOG.info(
          "Where the streams of {} runs end is not known yet, {} of them have ended",
          waiting(),
          ended.size());
    }
    return settling.settled();
  }

  private boolean isTime(long until) {
    return !stopped && nanos.getAsLong() - until < 0;
  }

  /**
   * Asks for the ends of all streams. Where nothing was written, the run begins; so it does where
   * the topic is not there, which its writer reports. Where neither is known, it waits.
   */
  private void look(Settling settling) {
    found.addAll(late.due());
    List<Found> some = found.stream().limit(TOPICS_AT_ONCE).toList();
    if (some.isEmpty()) {
      return;
    }
    Answers there = topicEnds.of(some.stream().map(this::stream).collect(Collectors.toSet()));
    for (Found run : some) {
      found.remove();
      Ends ends = there.of(stream(run));
      if (there.isUnknown(stream(run))) {
        late.add(run, stream(run));
      } else if (ends == null || ends.isUnwritten()) {
        settling.begin(run.lanes());
      } else {
        written.add(new Found(run.lanes(), isOf(run, ends) ? ends : null));
      }
    }
  }

  private String stream(Found run) {
    return topics.stream(run.first().layout().run());
  }

  private static boolean isOf(Found run, Ends ends) {
    RunLayout layout = run.first().layout();
    return (layout.streamTopicId().isEmpty() || layout.streamTopicId().equals(ends.id()))
        && ends.partitions().size() == layout.streamPartitions();
  }

  /** Reads the logs of some runs. */
  private void outline(Settling settling) {
    Map<String, Found> some = new LinkedHashMap<>();
    written.stream().limit(LOGS_AT_ONCE).forEach(run -> some.put(run.first().runId(), run));
    Map<String, List<MixSplit>> lanes = new HashMap<>();
    some.forEach((runId, run) -> lanes.put(runId, run.lanes()));
    RunLogReading.Outlines read = logs().outlines(lanes);
    some.forEach(
        (runId, run) -> {
          written.remove();
          RuntimeException why = read.broken().get(runId);
          RunOutline outline = read.runs().get(runId);
          if (read.unknown().contains(runId)) {
            late.add(new Found(run.lanes(), null), run.first().control(topics).topic());
          } else if (read.gone().contains(runId) || outline == null || isOver(outline.phase())) {
            settling.end(run.lanes());
            if (outline != null && run.stream() != null && !read.gone().contains(runId)) {
              settling.keep(outline, run.stream());
            }
          } else if (why != null) {
            settling.fail(run.lanes(), why);
          } else if (run.stream() != null) {
            (outline.phase().ended() ? ended : live).add(new Outlined(outline, run));
            return;
          } else if (outline.phase().ended()) {
            settling.end(run.lanes());
          } else {
            // Its writer reports that the topic is another one.
            settling.begin(run.lanes());
          }
          kept.drop(runId);
        });
  }

  /** Whether a run's emission ends at once. */
  private static boolean isOver(RunPhase phase) {
    return phase == RunPhase.FAILED || phase == RunPhase.DELETED;
  }

  private void goOn(Outlined outlined, Settling settling) {
    RunOutline run = outlined.run();
    Ends stream = outlined.from().stream();
    try {
      if (stream != null) {
        RunReading reading = new RunReading(new PartitionReading(consumer()), topics, window);
        settling.goOn(run, stream, reading, logs());
      }
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("Cannot look where the stream of run {} ends, trying again", run.runId(), e);
      late.add(new Found(outlined.from().lanes(), null), stream(outlined.from()));
    }
    kept.drop(run.runId());
  }

  private Consumer<byte[], byte[]> consumer() {
    Consumer<byte[], byte[]> opened = consumer;
    if (opened == null) {
      opened = opening.get();
      consumer = opened;
      if (stopped) {
        opened.wakeup();
      }
    }
    return opened;
  }

  /** Lets go of what a consumer keeps of each topic that it has read, until one is needed again. */
  public void rest() {
    Consumer<byte[], byte[]> opened = consumer;
    if (opened != null && waiting() == 0) {
      consumer = null;
      opened.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private RunLogReading logs() {
    RunLogScan scan = new RunLogScan(new PartitionReading(consumer()), topicEnds, topics);
    return new RunLogReading(scan, new LogBeginnings(access, consumer()), kept);
  }

  /** Ends a call that waits, soon; from any thread. */
  public void stop() {
    stopped = true;
    Consumer<byte[], byte[]> opened = consumer;
    if (opened != null) {
      opened.wakeup();
    }
  }

  @Override
  public void close() {
    Consumer<byte[], byte[]> opened = consumer;
    if (opened != null) {
      opened.close(CloseOptions.timeout(Duration.ZERO));
    }
    topicEnds.close();
  }
}
