package io.sluice.client.run;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicHeads;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The control logs that runs have of their own: topics that are named after the runs' ids. */
final class OwnLogs implements AutoCloseable {
  private static final Comparator<Start> BY_AGE =
      Comparator.comparingLong(Start::logTime).thenComparing(start -> start.run().runId());

  private final TopicHeads heads;
  private final String prefix;
  private final Duration patience;

  /** The start of a run and Kafka's time of it. */
  private record Start(RunInfo run, long logTime) {}

  /** The logs that a reader sees, which it closes. */
  OwnLogs(TopicHeads heads, Topics topics, Duration patience) {
    this.heads = heads;
    this.prefix = topics.control("");
    this.patience = patience;
  }

  /** The logs that Kafka has. */
  static OwnLogs of(KafkaAccess access, Duration patience) {
    return new OwnLogs(TopicHeads.of(access), access.topics(), patience);
  }

  /** Ids of all runs that have a log of their own, started or not. */
  Set<String> runIds() {
    return heads.topics(prefix, patience).stream()
        .map(topic -> topic.substring(prefix.length()))
        .collect(Collectors.toSet());
  }

  /** Those of them that are of one name, which has no dot. */
  static Set<String> named(String name, Collection<String> runIds) {
    return runIds.stream()
        .filter(runId -> runId.startsWith(name + "."))
        .collect(Collectors.toSet());
  }

  /** The runs among these that have started, oldest first, as they did. */
  List<RunInfo> started(Collection<String> runIds) {
    List<Start> found = new ArrayList<>();
    heads.read(
        runIds.stream().map(prefix::concat).toList(),
        patience,
        message -> {
          Optional<Start> start = start(message);
          start.ifPresent(found::add);
          return start.isPresent();
        });
    return found.stream().sorted(BY_AGE).map(Start::run).toList();
  }

  private Optional<Start> start(ConsumerRecord<byte[], byte[]> message) {
    String runId = message.topic().substring(prefix.length());
    return ControlRecords.decode(message)
        .flatMap(entry -> ControlRecords.start(runId, entry))
        .map(started -> new Start(new RunInfo(runId, started.getSpec()), message.timestamp()));
  }

  @Override
  public void close() {
    heads.close();
  }
}
