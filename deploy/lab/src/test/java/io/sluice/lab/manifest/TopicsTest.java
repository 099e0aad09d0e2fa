package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.topics.WantedTopics;
import io.sluice.schema.Topics;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The topics of the manifests are those that Sluice makes. */
class TopicsTest {
  static List<String> overlays() {
    return Manifests.overlays();
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void areThoseOfTheService(String overlay) {
    assertThat(said(Manifests.of(overlay, "KafkaTopic"))).isEqualTo(made(overlay));
  }

  @Test
  void aDifferenceIsFoundInEach() {
    List<ObjectNode> topics = Manifests.of("production", "KafkaTopic");
    for (ObjectNode topic : topics) {
      ObjectNode sound = topic.deepCopy();
      for (String key : List.copyOf(Manifests.settings(topic.at("/spec/config")).keySet())) {
        ((ObjectNode) topic.at("/spec/config")).put(key, "7");
        assertThat(said(topics)).as(key).isNotEqualTo(made("production"));
        topic.setAll(sound.deepCopy());
      }
      ((ObjectNode) topic.get("spec")).put("partitions", 2);
      assertThat(said(topics)).isNotEqualTo(made("production"));
      topic.setAll(sound.deepCopy());
      ((ObjectNode) topic.get("spec")).put("topicName", "A_b");
      assertThat(said(topics)).isNotEqualTo(made("production"));
      ((ObjectNode) topic.get("spec")).remove("topicName");
    }
    assertThat(said(topics)).isEqualTo(made("production"));
  }

  /** What Kafka calls a topic: what its manifest is called, unless Kubernetes refuses that. */
  static String topicName(JsonNode topic) {
    return topic.at("/spec/topicName").asText(Manifests.name(topic));
  }

  private static Map<String, Map<String, String>> said(Collection<ObjectNode> topics) {
    Map<String, Map<String, String>> said = new TreeMap<>();
    for (ObjectNode topic : topics) {
      Map<String, String> settings = new TreeMap<>(Manifests.settings(topic.at("/spec/config")));
      settings.put("partitions", topic.at("/spec/partitions").asText());
      settings.put("replicas", topic.at("/spec/replicas").asText());
      said.put(topicName(topic), settings);
    }
    return said;
  }

  private static Map<String, Map<String, String>> made(String overlay) {
    Map<String, Map<String, String>> made = new TreeMap<>();
    ObjectNode kafka = Manifests.only(overlay, "Kafka");
    new WantedTopics(Topics.standard(), KafkaSettingsTest.brokers(overlay))
        .service()
        .forEach(
            topic -> {
              Map<String, String> settings = new TreeMap<>(topic.configs());
              settings.put("partitions", Integer.toString(topic.numPartitions()));
              settings.put(
                  "replicas",
                  topic.replicationFactor() > 0
                      ? Short.toString(topic.replicationFactor())
                      : kafka.at("/spec/kafka/config/default.replication.factor").asText());
              made.put(topic.name(), settings);
            });
    return made;
  }
}
