package io.sluice.jobs.mix.rest;

import io.sluice.jobs.mix.mark.KafkaStreamMarks;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.Serializable;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who rests, where topics are looked for: the topics of those runs are left out there. Once woken,
 * a run rests again at the next start at the earliest.
 */
public final class RestingRuns implements QuietTopics {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RestingRuns.class);

  /** Brokers forget after a week by default what was read; a look comes every 10 s. */
  private static final int LOOKS_UNTIL_KEPT = 8_640;

  private final Topics topics;
  private final Search search;
  private transient volatile @Nullable Map<String, RestingRun> resting;
  private transient volatile @Nullable Set<String> quiet;
  private transient @Nullable Set<String> gone;
  private transient int looks;

  /** Asks brokers. */
  interface Search extends Serializable {
    Map<String, RestingRun> find();

    Set<String> moved(Collection<RestingRun> runs);

    /** Keeps anew that all was read of these runs. */
    void keep(Collection<RestingRun> runs);
  }

  RestingRuns(Topics topics, Search search) {
    this.topics = topics;
    this.search = search;
  }

  /**
   * Nobody yet.
   *
   * @param group with which the job keeps what it has read
   */
  public static RestingRuns in(KafkaAccess access, String group) {
    return new RestingRuns(access.topics(), new KafkaSearch(access, group));
  }

  private record KafkaSearch(KafkaAccess access, String group) implements Search {
    @Override
    public Map<String, RestingRun> find() {
      try (RestBrokers brokers = new KafkaRestBrokers(access, group)) {
        return in(brokers).find();
      }
    }

    @Override
    public Set<String> moved(Collection<RestingRun> runs) {
      try (RestBrokers brokers = new KafkaRestBrokers(access, group)) {
        return in(brokers).moved(runs);
      }
    }

    @Override
    public void keep(Collection<RestingRun> runs) {
      try (RestBrokers brokers = new KafkaRestBrokers(access, group)) {
        in(brokers).keep(runs);
      }
    }

    private RestSearch in(RestBrokers brokers) {
      return new RestSearch(brokers, new KafkaStreamMarks(access), access.topics());
    }
  }

  /**
   * A job starts: finds who rests. Where that cannot be found out, nobody does.
   *
   * @param known topics that are looked for all the same, because readers have them
   */
  List<RestingRun> begin(Set<String> known) {
    Map<String, RestingRun> found;
    try {
      found = search.find();
    } catch (InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("Cannot find out which runs have ended and are at rest; all are read", e);
      found = Map.of();
    }
    LOG.info("{} runs have ended and are at rest", found.size());
    Set<String> left = ConcurrentHashMap.newKeySet();
    found.values().forEach(run -> left.addAll(topicsOf(run)));
    left.removeAll(known);
    quiet = left;
    resting = new ConcurrentHashMap<>(found);
    return List.copyOf(found.values());
  }

  /** Looks who has been spoken of, and wakes them. */
  Set<String> look() {
    Map<String, RestingRun> now = resting;
    if (now == null || now.isEmpty()) {
      return Set.of();
    }
    Set<String> woken = new HashSet<>();
    search
        .moved(List.copyOf(now.values()))
        .forEach(
            runId -> {
              if (wake(runId)) {
                woken.add(runId);
              }
            });
    if (looks++ % LOOKS_UNTIL_KEPT == 0) {
      keep(List.copyOf(now.values()));
    }
    return woken;
  }

  private void keep(List<RestingRun> still) {
    try {
      search.keep(still);
    } catch (InterruptException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("Cannot keep that {} runs are at rest; they may be read once more", still.size(), e);
    }
  }

  /** Lets a run rest no more; whether it did. */
  boolean wake(String runId) {
    Map<String, RestingRun> now = resting;
    Set<String> left = quiet;
    RestingRun run = now == null ? null : now.remove(runId);
    if (run == null || left == null) {
      return false;
    }
    LOG.info("Run {} is spoken of again, and read", runId);
    left.removeAll(topicsOf(run));
    return true;
  }

  @Override
  public boolean isQuiet(String topic) {
    Set<String> left = quiet;
    return left != null && left.contains(topic);
  }

  @Override
  public synchronized void gone(Set<String> topics) {
    Set<String> all = gone == null ? new HashSet<>() : gone;
    all.addAll(topics);
    gone = all;
  }

  /** The topics that are gone since this was asked last. */
  synchronized Set<String> takeGone() {
    Set<String> taken = gone == null ? Set.of() : gone;
    gone = null;
    return taken;
  }

  private List<String> topicsOf(RestingRun run) {
    return List.of(topics.control(run.runId()), topics.feedback(run.run()));
  }
}
