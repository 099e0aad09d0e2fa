package io.sluice.cli.plan.form;

import io.sluice.cli.plan.need.Plan;
import io.sluice.cli.plan.need.PlannedTopic;
import io.sluice.cli.plan.need.PlannedUser;
import io.sluice.cli.rights.RightsText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A plan as commands of Kafka's own tools. A run's control log is not among them: its name is drawn
 * when the run is applied, and that makes it.
 *
 * @param servers of the brokers
 */
public record CommandForm(Plan plan, String servers) {
  /** The commands: topics that are not there, rights, and quotas. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    plan.topics().stream().filter(PlannedTopic::isNamed).forEach(topic -> lines.add(topic(topic)));
    for (PlannedUser user : plan.users()) {
      lines.addAll(new RightsText(user.user(), user.rights()).commands(servers));
    }
    plan.users().stream()
        .filter(user -> !user.quota().isEmpty())
        .forEach(user -> lines.add(quota(user)));
    return lines;
  }

  private String topic(PlannedTopic topic) {
    StringBuilder command =
        new StringBuilder(
            "kafka-topics.sh --bootstrap-server "
                + servers
                + " --create --if-not-exists --topic '"
                + topic.topic()
                + "' --partitions "
                + topic.partitions());
    topic.replicas().ifPresent(copies -> command.append(" --replication-factor ").append(copies));
    topic.sorted().forEach((key, value) -> command.append(" --config ").append(key + "=" + value));
    return command.toString();
  }

  private String quota(PlannedUser user) {
    List<String> rates = new ArrayList<>();
    add(rates, "producer_byte_rate=", user.quota().producer());
    add(rates, "consumer_byte_rate=", user.quota().consumer());
    return "kafka-configs.sh --bootstrap-server "
        + servers
        + " --alter --add-config '"
        + String.join(",", rates)
        + "' --entity-type users --entity-name '"
        + user.user()
        + "'";
  }

  private static void add(List<String> rates, String key, OptionalLong rate) {
    rate.ifPresent(bytes -> rates.add(key + bytes));
  }
}
