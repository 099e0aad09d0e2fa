package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.mark.WrittenStreams;
import io.sluice.jobs.mix.mark.WrittenStreams.Latest;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.StreamReach;
import io.sluice.jobs.mix.stream.StreamGate;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether streams still hold what a reader's splits have written, in a thread of its own.
 * Brokers that lose their power may lose what they had acknowledged, and nobody else would emit it
 * again.
 *
 * <p>Splits that go on from a checkpoint wait until that is known; the leader says so even if
 * others have written since. If something is gone, their streams' ends are sought. Of a split that
 * emits, an end below what was acknowledged says that it must go on from its last place that was,
 * and that is then looked at in the same way.
 */
public final class StreamCheck implements Runnable {
  /** A system writes back within this time what a broker has not flushed. */
  public static final Duration UNFLUSHED = Duration.ofMinutes(2);

  private static final Logger LOG = LoggerFactory.getLogger(StreamCheck.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration SOON = Duration.ofMillis(100);

  private final WrittenStreams streams;
  private final PlaceSearch search;
  private final Topics topics;
  private final Consumer<Finding> told;
  private final LongSupplier nanos;
  private final Map<StreamGate, WatchedSplit> watched = new ConcurrentHashMap<>();
  private final Map<String, WatchedSplit> sought = new HashMap<>();

  /** What waits for an answer of brokers that would let it go on. */
  private final Unanswered<WatchedSplit> late;

  private final Semaphore wake = new Semaphore(0);
  private volatile boolean closed;
  private @Nullable Thread thread;

  /** What a reader must know of one of its splits, or of all. */
  public sealed interface Finding {
    /** The split; empty if it is none. */
    String splitId();
  }

  /** No stream is looked at any more, and those that wait would do so for ever. */
  public record Broken(RuntimeException error) implements Finding {
    @Override
    public String splitId() {
      return "";
    }
  }

  /** The stream of a split that has emitted all has lost records. */
  public record Unfinished(String splitId) implements Finding {}

  /** A split's stream has lost records, and ends there. */
  public record Placed(MixSplit place) implements Finding {
    @Override
    public String splitId() {
      return place.splitId();
    }
  }

  /** A split's stream has lost records, and it cannot be told where it ends. */
  public record Unplaced(String splitId, String reason) implements Finding {}

  /** A split has emitted all, and that is on brokers' disks. */
  public record Flushed(String splitId) implements Finding {}

  /**
   * Looks at nothing yet.
   *
   * @param told of what a reader must know; it may wait
   */
  public StreamCheck(
      WrittenStreams streams,
      PlaceSearch search,
      Topics topics,
      Consumer<Finding> told,
      LongSupplier nanos) {
    this.streams = streams;
    this.search = search;
    this.topics = topics;
    this.told = told;
    this.nanos = nanos;
    this.late = new Unanswered<>(nanos);
  }

  /**
   * Looks at a split's stream from now on; at once if it waits for that.
   *
   * @param cut whether it has lost something for sure, so that its end is sought
   */
  public void add(MixSplit split, StreamGate gate, boolean cut) {
    watched.put(gate, new WatchedSplit(split, gate, topics, cut, nanos.getAsLong()));
    if (gate.isClosed()) {
      wake.release();
    }
  }

  /** Starts to look until closed. */
  public void start(String name) {
    Thread started = new Thread(this, name);
    started.setDaemon(true);
    thread = started;
    started.start();
  }

  /** Looks at a split's stream no more. */
  public void remove(StreamGate gate) {
    watched.remove(gate);
  }

  /** Looks at the stream of a split that has emitted all until it is flushed. */
  public void finished(StreamGate gate) {
    WatchedSplit one = watched.get(gate);
    if (one != null) {
      one.finish();
    }
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        boolean woken =
            wake.tryAcquire((search.isBusy() ? SOON : INTERVAL).toMillis(), TimeUnit.MILLISECONDS);
        if (woken) {
          wake.drainPermits();
        }
        step();
      }
    } catch (WakeupException | InterruptException e) {
      if (!closed) {
        LOG.error("Streams are no longer looked at", e);
        told.accept(new Broken(e));
      }
    } catch (Error e) {
      // A thread that is gone in silence leaves its splits waiting for ever.
      told.accept(new Broken(new IllegalStateException(String.valueOf(e), e)));
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // An interrupt has done what it was for.
      Thread.interrupted();
      search.close();
      streams.close();
    }
  }

  /** Looks at all of them once, and seeks on. */
  void step() {
    try {
      look();
      if (!search.isIdle()) {
        tell(search.settle());
      }
    } catch (WakeupException | InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("Cannot look whether streams still hold what was written, trying again", e);
    }
  }

  private void look() {
    // Taken before it is asked: what is acknowledged meanwhile may not be in the answers.
    long asking = nanos.getAsLong();
    Map<WatchedSplit, StreamReach> before = new LinkedHashMap<>();
    Set<TopicPartition> asked = new HashSet<>();
    for (WatchedSplit one : watched.values()) {
      StreamReach reach = one.gate.reach();
      if (one.cut && one.gate.isClosed() && sought.get(one.split.splitId()) != one) {
        seek(one);
      } else if (mayLose(one, reach, asking)) {
        before.put(one, reach);
        asked.addAll(one.partitions);
      }
    }
    late.clear();
    Map<TopicPartition, Latest> found = streams.latest(asked);
    Map<WatchedSplit, Map<TopicPartition, OffsetAndMetadata>> doubtful = new LinkedHashMap<>();
    before.forEach(
        (one, reach) -> {
          if (one.partitions.stream().anyMatch(partition -> isGone(found.get(partition)))) {
            // Whoever writes to it says so.
            one.gate.open();
            one.isGone(asking);
            forgetFlushed(one);
          } else if (found.keySet().containsAll(one.partitions)) {
            if (one.gate.isClosed()) {
              doubt(one, reach, found, doubtful);
            } else {
              compare(one, reach, found, asking);
            }
          } else if (one.gate.isClosed()) {
            late.add(one, one.partitions.get(0).topic());
          }
        });
    late.notice().ifPresent(LOG::warn);
    settle(doubtful, found);
  }

  private static boolean isGone(@Nullable Latest latest) {
    return latest != null && latest.isGone();
  }

  /** Whether a stream can have lost what a split wrote, or that is awaited. */
  private boolean mayLose(WatchedSplit one, StreamReach reach, long now) {
    if (sought.get(one.split.splitId()) == one) {
      return false;
    }
    one.reaches(reach, now);
    if (one.gate.isClosed()) {
      return true;
    }
    if (one.gate.hasLost()) {
      watched.remove(one.gate);
      if (one.isFinished()) {
        told.accept(new Unfinished(one.split.splitId()));
      }
      return false;
    }
    forgetFlushed(one);
    return !one.isFlushed();
  }

  private void forgetFlushed(WatchedSplit one) {
    if (one.isFinished() && one.isFlushed()) {
      watched.remove(one.gate);
      told.accept(new Flushed(one.split.splitId()));
    }
  }

  private void compare(
      WatchedSplit one, StreamReach reach, Map<TopicPartition, Latest> found, long asked) {
    for (TopicPartition partition : one.partitions) {
      Latest latest = latest(found, partition);
      long end = reach.ends()[partition.partition()];
      if (latest.end() < end) {
        LOG.warn(
            "{} ends at offset {}, {} was acknowledged: run {} emits again what is lost",
            partition,
            latest.end(),
            end,
            one.split.runId());
        one.gate.cut();
        return;
      }
    }
    saw(one, found);
    one.isThere(asked);
    forgetFlushed(one);
  }

  /** Where the leader is another one since, it must say what it has of its predecessors. */
  private void doubt(
      WatchedSplit one,
      StreamReach reach,
      Map<TopicPartition, Latest> found,
      Map<WatchedSplit, Map<TopicPartition, OffsetAndMetadata>> doubtful) {
    Map<TopicPartition, OffsetAndMetadata> reached = new HashMap<>();
    for (TopicPartition partition : one.partitions) {
      Latest latest = latest(found, partition);
      long end = reach.ends()[partition.partition()];
      long epoch = reach.epochs()[partition.partition()];
      if (latest.end() < end) {
        seek(one);
        return;
      }
      if (end > 0 && epoch == StreamReach.UNKNOWN) {
        LOG.info(
            "Whether the stream of run {} holds all that lane {} had written is sought: it was"
                + " checkpointed before its leader was known",
            one.split.runId(),
            one.split.lane());
        search(one);
        return;
      }
      if (end > 0 && latest.epoch() != epoch) {
        reached.put(partition, new OffsetAndMetadata(end, Optional.of(Math.toIntExact(epoch)), ""));
      }
    }
    doubtful.put(one, reached);
  }

  private void settle(
      Map<WatchedSplit, Map<TopicPartition, OffsetAndMetadata>> doubtful,
      Map<TopicPartition, Latest> found) {
    Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>();
    doubtful.values().forEach(all::putAll);
    Set<TopicPartition> cut = all.isEmpty() ? Set.of() : streams.cut(all);
    doubtful.forEach(
        (one, reached) -> {
          if (reached.keySet().stream().anyMatch(cut::contains)) {
            seek(one);
          } else {
            saw(one, found);
            one.gate.open();
          }
        });
  }

  private static void saw(WatchedSplit one, Map<TopicPartition, Latest> found) {
    for (TopicPartition partition : one.partitions) {
      Latest latest = latest(found, partition);
      one.gate.saw(partition.partition(), latest.end(), latest.epoch());
    }
  }

  private static Latest latest(Map<TopicPartition, Latest> found, TopicPartition partition) {
    return found.getOrDefault(partition, Latest.GONE);
  }

  private void seek(WatchedSplit one) {
    LOG.warn(
        "The stream of run {} does not hold all that lane {} had written: its end is sought",
        one.split.runId(),
        one.split.lane());
    search(one);
  }

  private void search(WatchedSplit one) {
    sought.put(one.split.splitId(), one);
    search.add(one.split);
  }

  private void tell(SettledRuns settled) {
    for (MixSplit place : settled.splits()) {
      if (sought.remove(place.splitId()) != null) {
        told.accept(new Placed(place));
      }
    }
    for (String id : settled.ended()) {
      WatchedSplit one = sought.remove(id);
      if (one != null) {
        one.gate.open();
      }
    }
    for (SettledRuns.Failed failed : settled.failed()) {
      for (String id : failed.splits()) {
        if (sought.remove(id) != null) {
          told.accept(new Unplaced(id, failed.reason()));
        }
      }
    }
  }

  /** Ends the thread soon; does not wait for it. */
  public void close() {
    closed = true;
    search.stop();
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Waits until the thread has ended. */
  public void join(Duration atMost) throws InterruptedException {
    if (thread != null) {
      thread.join(atMost.toMillis());
    }
  }
}
