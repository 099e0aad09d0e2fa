package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;

class DurabilityTest {
  private static final TopicSettings LOG = TopicSettings.log("log", 1);

  @Test
  void threeBrokersKeepThreeCopiesAndTwoHaveARecordBeforeItCounts() {
    for (int brokers : new int[] {3, 30}) {
      NewTopic topic = Durability.of(brokers).creation(LOG.thatIsActedOn());
      assertThat(topic.replicationFactor()).isEqualTo((short) 3);
      assertThat(topic.configs())
          .containsAllEntriesOf(LOG.configs())
          .containsEntry("min.insync.replicas", "2")
          .doesNotContainKey("flush.messages");
    }
  }

  @Test
  void fewerBrokersKeepTheirDefault() {
    NewTopic topic = Durability.of(2).creation(LOG.thatIsActedOn());
    assertThat(topic.replicationFactor()).as("left to the brokers").isEqualTo((short) -1);
    assertThat(topic.configs()).isEqualTo(LOG.configs());
  }

  @Test
  void aSingleBrokerHasOnItsDiskWhatIsActedOn() {
    Durability one = Durability.of(1);
    assertThat(one.creation(LOG.thatIsActedOn()).configs()).containsEntry("flush.messages", "1");
    assertThat(one.creation(LOG).configs()).isEqualTo(LOG.configs());
  }

  @Test
  void whatATopicWasMadeWithLessOfIsNamed() {
    TopicSettings actedOn = LOG.thatIsActedOn();
    TopicDescription alone = topic(1);
    assertThat(Durability.of(3).lacking(actedOn, alone, config("min.insync.replicas", "1")))
        .containsExactly(
            new TopicDifference("log", "replicas", "3", "1"),
            new TopicDifference("log", "min.insync.replicas", "2", "1"));
    assertThat(Durability.of(3).lacking(LOG, topic(3), config("min.insync.replicas", "2")))
        .isEmpty();
    assertThat(Durability.of(5).lacking(LOG, topic(5), config("min.insync.replicas", "3")))
        .as("more than is made")
        .isEmpty();
    Config never = config("flush.messages", "9223372036854775807");
    assertThat(Durability.of(1).lacking(actedOn, alone, never))
        .containsExactly(new TopicDifference("log", "flush.messages", "1", "9223372036854775807"));
    assertThat(Durability.of(1).lacking(LOG, alone, never)).isEmpty();
  }

  private static TopicDescription topic(int replicas) {
    List<Node> nodes =
        IntStream.range(0, replicas).mapToObj(id -> new Node(id, "broker", 1)).toList();
    return new TopicDescription(
        "log", false, List.of(new TopicPartitionInfo(0, nodes.get(0), nodes, nodes)));
  }

  private static Config config(String key, String value) {
    return new Config(List.of(new ConfigEntry(key, value)));
  }
}
