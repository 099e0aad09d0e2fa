package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every document says what its kind takes, and nothing else. */
class KindsTest {
  /** Whose fields have the names that somebody gives them. */
  private static final Set<String> FREE =
      Set.of(
          "annotations",
          "config",
          "data",
          "flinkConfiguration",
          "labels",
          "limits",
          "matchLabels",
          "requests");

  static List<String> overlays() {
    return Manifests.overlays();
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void everyDocumentIsOneOfItsKind(String overlay) {
    List<ObjectNode> documents = Manifests.of(overlay);
    assertThat(documents).hasSizeGreaterThan(20);
    assertThat(documents)
        .allSatisfy(
            document -> assertThat(Kinds.problem(document)).as(Manifests.name(document)).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void aFieldThatIsMisspeltIsFoundWhereverItIs(String overlay) {
    List<String> found = new ArrayList<>();
    List<String> missed = new ArrayList<>();
    for (ObjectNode document : Manifests.of(overlay)) {
      for (ObjectNode object : objects(document)) {
        for (String field : List.copyOf(names(object))) {
          JsonNode value = object.remove(field);
          object.set(field + "x", value);
          (Kinds.problem(document).isEmpty() ? missed : found)
              .add(Manifests.name(document) + ": " + field);
          object.remove(field + "x");
          object.set(field, value);
        }
      }
    }
    assertThat(missed).isEmpty();
    assertThat(found).hasSizeGreaterThan(500);
  }

  @Test
  void aWordThatIsNoneOfThoseOfItsFieldIsFound() {
    ObjectNode flink = Manifests.of("dev", "FlinkDeployment").get(0);
    ((ObjectNode) flink.at("/spec/job")).put("upgradeMode", "save-point");
    assertThat(Kinds.problem(flink).orElseThrow()).contains("save-point", "last-state");
    ObjectNode user = Manifests.of("dev", "KafkaUser").get(0);
    ((ObjectNode) user.at("/spec/authorization/acls/0")).putArray("operations").add("Reed");
    assertThat(Kinds.problem(user).orElseThrow()).contains("Reed");
    ObjectNode topic = Manifests.of("dev", "KafkaTopic").get(0);
    ((ObjectNode) topic.get("spec")).put("partitions", "one");
    assertThat(Kinds.problem(topic).orElseThrow()).contains("one");
    ObjectNode old = Manifests.of("dev", "Kafka").get(0).put("apiVersion", "kafka.strimzi.io/v1b");
    assertThat(Kinds.problem(old)).hasValue("no kind that is known: kafka.strimzi.io/v1b/Kafka");
  }

  private static List<ObjectNode> objects(JsonNode node) {
    List<ObjectNode> all = new ArrayList<>();
    if (node instanceof ObjectNode object) {
      all.add(object);
      object
          .properties()
          .forEach(
              field -> {
                if (!FREE.contains(field.getKey())) {
                  all.addAll(objects(field.getValue()));
                }
              });
    } else {
      node.forEach(each -> all.addAll(objects(each)));
    }
    return all;
  }

  private static List<String> names(ObjectNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
