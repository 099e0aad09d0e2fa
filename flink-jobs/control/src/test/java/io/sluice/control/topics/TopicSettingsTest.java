package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

class TopicSettingsTest {
  @Test
  void aLogIsNeverTrimmedByItself() {
    assertThat(TopicSettings.log("t", 3).configs())
        .containsOnly(
            Map.entry("cleanup.policy", "delete"),
            Map.entry("retention.ms", "-1"),
            Map.entry("retention.bytes", "-1"));
  }

  @Test
  void positionsAsTimestampsAreNotCheckedAgainstAClock() {
    assertThat(TopicSettings.log("t", 1).records(1000).positionTimestamps().configs())
        .containsEntry("message.timestamp.type", "CreateTime")
        .containsEntry("message.timestamp.before.max.ms", "9223372036854775807")
        .containsEntry("max.message.bytes", "1000")
        .containsEntry("retention.ms", "-1");
  }

  @Test
  void whatATopicHasOtherwiseIsNamed() {
    Node node = new Node(1, "broker", 1);
    TopicDescription single =
        new TopicDescription(
            "t", false, List.of(new TopicPartitionInfo(0, node, List.of(node), List.of(node))));
    Config config =
        new Config(
            List.of(
                new ConfigEntry("cleanup.policy", "delete"), new ConfigEntry("retention.ms", "7")));
    List<TopicDifference> differences = TopicSettings.log("t", 3).differences(single, config);
    assertThat(differences)
        .startsWith(new TopicDifference("t", "partitions", "3", "1"))
        .containsExactlyInAnyOrder(
            new TopicDifference("t", "partitions", "3", "1"),
            new TopicDifference("t", "retention.ms", "-1", "7"),
            new TopicDifference("t", "retention.bytes", "-1", "nothing that its brokers say"));
    assertThat(differences.get(0))
        .hasToString("topic t must have partitions = 3: it exists with 1");
  }
}
