package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.admin.NewTopic;
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
}
