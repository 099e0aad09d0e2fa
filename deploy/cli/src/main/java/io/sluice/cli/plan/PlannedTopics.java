package io.sluice.cli.plan;

import io.sluice.cli.plan.need.PlannedRun;
import io.sluice.cli.plan.need.PlannedTopic;
import io.sluice.cli.plan.need.PlannedTopic.Standing;
import io.sluice.cli.storage.Deployment;
import io.sluice.cli.storage.Owner;
import io.sluice.cli.storage.TopicOwners;
import io.sluice.control.topics.TopicDifference;
import io.sluice.control.topics.TopicInspection;
import io.sluice.control.topics.WantedTopics;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * The topics of a plan.
 *
 * @param wanted what they must be like
 * @param report what brokers say of them; empty where none is asked
 * @param bytes estimates by their names
 */
record PlannedTopics(
    WantedTopics wanted, Optional<TopicInspection.Report> report, Map<String, Long> bytes) {
  /** Those of the service and all others, each once, in the order in which they are made. */
  List<PlannedTopic> all(
      List<DatasetSpec> datasets, List<RefineSpec> refineries, List<PlannedRun> runs) {
    Map<String, NewTopic> all = new LinkedHashMap<>();
    Map<String, Owner> owners = new HashMap<>();
    Stream.of(
            wanted.service().stream(),
            datasets.stream().flatMap(spec -> wanted.dataset(spec).stream()),
            refineries.stream().flatMap(spec -> wanted.refinery(spec).stream()))
        .flatMap(topics -> topics)
        .forEach(topic -> all.putIfAbsent(topic.name(), topic));
    Deployment planned = new Deployment(new TreeSet<>(), datasets, refineries, List.of());
    owners.putAll(new TopicOwners(wanted.topics(), planned).of(all.keySet()));
    for (PlannedRun run : runs) {
      for (NewTopic topic : wanted.run(run.spec(), run.id())) {
        all.put(topic.name(), topic);
        owners.put(topic.name(), new Owner(Owner.Kind.RUN, run.spec().getRun()));
      }
    }
    return all.values().stream()
        .map(topic -> planned(topic, owners.getOrDefault(topic.name(), Owner.NOBODY)))
        .toList();
  }

  private PlannedTopic planned(NewTopic topic, Owner owner) {
    Long some = bytes.get(topic.name());
    return PlannedTopic.of(
        topic,
        owner,
        standing(topic.name()),
        differences(topic.name()),
        some == null ? OptionalLong.empty() : OptionalLong.of(some));
  }

  private Standing standing(String topic) {
    if (report.isEmpty()) {
      return Standing.NOT_ASKED;
    }
    if (topic.endsWith(PlannedRun.ANY) || report.get().missing().contains(topic)) {
      return Standing.MISSING;
    }
    return differences(topic).isEmpty() ? Standing.THERE : Standing.DIFFERS;
  }

  private List<String> differences(String topic) {
    return report.stream()
        .flatMap(said -> Stream.concat(said.differences().stream(), said.weaknesses().stream()))
        .filter(difference -> difference.topic().equals(topic))
        .map(PlannedTopics::words)
        .toList();
  }

  private static String words(TopicDifference difference) {
    return difference.key() + " = " + difference.found() + ", wanted " + difference.wanted();
  }
}
