package io.sluice.jobs.mix.rest;

import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Runs that rest, and from where their topics are read once they do no more. There may be thousands
 * of them: of each little more is kept than its name.
 */
final class RestingSplits {
  private static final long NONE = -1;

  private final Topics topics;
  private final Map<String, RestingRun> runs = new HashMap<>();

  /** By run id. */
  private final Map<String, Place> logs = new HashMap<>();

  /** By the run's name. */
  private final Map<String, Place> feedback = new HashMap<>();

  /** Where a topic of a run ends, and from where it would be read; {@link #NONE}: not here. */
  private static final class Place {
    private final long end;
    private long from = NONE;

    Place(long end) {
      this.end = end;
    }
  }

  RestingSplits(Topics topics) {
    this.topics = topics;
  }

  /** A run rests. */
  void add(RestingRun run) {
    runs.put(run.runId(), run);
    logs.put(run.runId(), new Place(run.logEnd()));
    feedback.put(run.run(), new Place(run.feedbackEnd()));
  }

  /** The run of an id, if it rests. */
  @Nullable RestingRun run(String runId) {
    return runs.get(runId);
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  /** Keeps a split of a run that rests, unless it has something that was not read. */
  boolean keep(KafkaPartitionSplit split) {
    Place place = place(split.getTopic());
    if (place == null || split.getPartition() != 0 || split.getStartingOffset() < place.end) {
      return false;
    }
    place.from = split.getStartingOffset();
    return true;
  }

  private @Nullable Place place(String topic) {
    if (topic.startsWith(topics.control(""))) {
      return logs.get(topics.runIdOf(topic));
    }
    String said = topics.feedback("");
    return topic.startsWith(said) ? feedback.get(topic.substring(said.length())) : null;
  }

  /** A run rests no more: its splits that were kept. */
  List<KafkaPartitionSplit> wake(String runId) {
    List<KafkaPartitionSplit> woken = new ArrayList<>();
    RestingRun run = runs.remove(runId);
    if (run != null) {
      add(topics.control(runId), logs.remove(runId), woken);
      add(topics.feedback(run.run()), feedback.remove(run.run()), woken);
    }
    return woken;
  }

  /** All that are kept. */
  List<KafkaPartitionSplit> splits() {
    List<KafkaPartitionSplit> all = new ArrayList<>();
    addAll(logs, topics::control, all);
    addAll(feedback, topics::feedback, all);
    return all;
  }

  private static void addAll(
      Map<String, Place> places, Function<String, String> topic, List<KafkaPartitionSplit> to) {
    places.forEach((name, place) -> add(topic.apply(name), place, to));
  }

  private static void add(String topic, @Nullable Place place, List<KafkaPartitionSplit> to) {
    if (place != null && place.from != NONE) {
      to.add(new KafkaPartitionSplit(new TopicPartition(topic, 0), place.from));
    }
  }
}
