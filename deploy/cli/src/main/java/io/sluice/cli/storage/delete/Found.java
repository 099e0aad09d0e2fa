package io.sluice.cli.storage.delete;

import io.sluice.cli.storage.Deployment;
import io.sluice.cli.storage.LogDirs;
import io.sluice.cli.storage.TopicBytes;
import io.sluice.control.history.RunLogs;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.KafkaAccess;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.apache.kafka.common.KafkaException;

/**
 * What is there before something is deleted.
 *
 * @param bytes of topics by their names; empty if this user may not see them, or brokers do not say
 * @param why they are not known; '' if they are
 */
record Found(KafkaAccess access, Optional<SortedMap<String, TopicBytes>> bytes, String why) {
  /** Bytes of all topics now. */
  static Found now(KafkaAccess access) {
    try {
      return new Found(access, Optional.of(new LogDirs(access).read()), "");
    } catch (KafkaException e) {
      return new Found(access, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** Bytes of some topics, all copies; those that there are not have none. */
  OptionalLong of(Collection<String> topics) {
    return bytes
        .map(
            known ->
                OptionalLong.of(
                    topics.stream()
                        .mapToLong(topic -> known.getOrDefault(topic, TopicBytes.NONE).bytes())
                        .sum()))
        .orElse(OptionalLong.empty());
  }

  /** Who needs what, as the tables of the service say now. */
  static Holders holders(KafkaAccess access) {
    Deployment deployment = Deployment.read(access, TopicInspection.serviceTopics(access.topics()));
    RunLogs logs = RunLogs.of(access);
    List<RunCatalog.Entry> runs =
        deployment.keptRuns().stream().map(run -> run.folded(logs)).toList();
    return new Holders(deployment.datasets(), deployment.refineries(), runs);
  }
}
