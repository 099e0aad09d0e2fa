package io.sluice.cli.plan.form;

import io.sluice.cli.plan.need.Plan;
import io.sluice.cli.plan.need.PlannedTopic;
import io.sluice.cli.plan.need.PlannedUser;
import io.sluice.cli.plan.need.Quotas.Quota;
import io.sluice.cli.rights.RightsText;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan as topics and users of Strimzi. A run's control log is not among them: its name is drawn
 * when the run is applied, and that makes it.
 *
 * @param cluster whose they are
 */
public record StrimziForm(Plan plan, String cluster) {
  /** The manifests, as YAML. */
  public List<String> lines() {
    List<List<String>> documents = new ArrayList<>();
    plan.topics().stream()
        .filter(PlannedTopic::isNamed)
        .forEach(topic -> documents.add(topic(topic)));
    plan.users().forEach(user -> documents.add(user(user)));
    List<String> lines = new ArrayList<>();
    for (List<String> document : documents) {
      if (!lines.isEmpty()) {
        lines.add("---");
      }
      lines.addAll(document);
    }
    return lines;
  }

  private List<String> topic(PlannedTopic topic) {
    String name = KubernetesName.of(topic.topic(), KubernetesName.TOPIC, true);
    List<String> lines =
        new ArrayList<>(
            List.of(
                "apiVersion: kafka.strimzi.io/v1",
                "kind: KafkaTopic",
                "metadata:",
                "  name: " + name,
                "  labels: {strimzi.io/cluster: " + cluster + "}",
                "spec:"));
    if (!name.equals(topic.topic())) {
      lines.add("  topicName: '" + topic.topic() + "'");
    }
    lines.add("  partitions: " + topic.partitions());
    topic.replicas().ifPresent(replicas -> lines.add("  replicas: " + replicas));
    lines.add("  config:");
    topic.sorted().forEach((key, value) -> lines.add("    " + key + ": '" + value + "'"));
    return lines;
  }

  private List<String> user(PlannedUser user) {
    List<String> lines =
        new ArrayList<>(new RightsText(user.user(), user.rights()).strimzi(cluster));
    Quota quota = user.quota();
    if (!quota.isEmpty()) {
      lines.add("  quotas:");
      quota.producer().ifPresent(rate -> lines.add("    producerByteRate: " + rate));
      quota.consumer().ifPresent(rate -> lines.add("    consumerByteRate: " + rate));
    }
    return lines;
  }
}
