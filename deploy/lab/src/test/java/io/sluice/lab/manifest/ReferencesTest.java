package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names are ones that Kubernetes takes, and what documents name of each other is there. */
class ReferencesTest {
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");
  private static final String COMPONENT = "app.kubernetes.io/component";

  static List<String> overlays() {
    return Manifests.overlays();
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void namesAreKubernetesOwnAndAllAreInOneNamespace(String overlay) {
    List<ObjectNode> documents = Manifests.of(overlay);
    assertThat(documents).allSatisfy(each -> assertThat(Manifests.name(each)).matches(NAME));
    Set<String> namespaces = new HashSet<>();
    for (ObjectNode each : documents) {
      namespaces.add(
          Manifests.kind(each).equals("Namespace")
              ? Manifests.name(each)
              : each.at("/metadata/namespace").asText());
    }
    assertThat(namespaces).hasSize(1);
  }

  @Test
  void aNameThatKubernetesRefusesIsFound() {
    for (String name : List.of("A_b", "Upper", "a_b", "a.", ".a", "-a", "a..b", "")) {
      assertThat(name).doesNotMatch(NAME);
    }
    ObjectNode topic = Manifests.of("dev", "KafkaTopic").get(0);
    ((ObjectNode) topic.get("metadata")).put("name", "sluice.feedback.a-b");
    ((ObjectNode) topic.get("spec")).put("topicName", "sluice.feedback.A_b");
    assertThat(Kinds.problem(topic)).isEmpty();
    assertThat(TopicsTest.topicName(topic)).isEqualTo("sluice.feedback.A_b");
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void whatIsNamedIsThereAndNoSecretIs(String overlay) {
    List<ObjectNode> documents = Manifests.of(overlay);
    assertThat(dangling(documents)).isEmpty();
    assertThat(documents).noneMatch(each -> Manifests.kind(each).equals("Secret"));
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void policiesAndMonitorsAreOfPodsThatThereAre(String overlay) {
    assertThat(strayPolicies(Manifests.of(overlay))).isEmpty();
  }

  @Test
  void aTypingErrorInEachIsFound() {
    for (String wrong :
        List.of(
            "sluice-kafka-client",
            "sluice-cluster-ca-cert",
            "sluice-jobs",
            "sluice-operator",
            "sluice-trainer-velo-small",
            "user.key",
            "velo-small",
            "sluice-flink",
            "tmp")) {
      List<ObjectNode> documents = Manifests.of("production");
      Manifests.below(documents.stream().filter(ReferencesTest::hasPods).toList())
          .forEach(object -> misspell(object, wrong));
      assertThat(dangling(documents)).as(wrong).isNotEmpty();
    }
    List<ObjectNode> documents = Manifests.of("production");
    documents.stream()
        .filter(each -> Manifests.kind(each).equals("NetworkPolicy"))
        .forEach(
            each -> ((ObjectNode) each.at("/spec/podSelector/matchLabels")).put(COMPONENT, "flnk"));
    assertThat(strayPolicies(documents)).isNotEmpty();
  }

  private static boolean hasPods(ObjectNode document) {
    return Set.of("Deployment", "FlinkDeployment", "JobSet").contains(Manifests.kind(document));
  }

  /** Everything that refers by this word refers by another. */
  private static void misspell(ObjectNode object, String word) {
    for (String field : List.of("secretName", "claimName", "serviceAccount", "key")) {
      if (object.path(field).asText().equals(word)) {
        object.put(field, word + "x");
      }
    }
    for (String field : List.of("configMap", "secret", "emptyDir")) {
      if (object.get(field) instanceof ObjectNode reference
          && reference.path("name").asText().equals(word)) {
        reference.put("name", word + "x");
      }
    }
    if (object.has("mountPath") && object.path("name").asText().equals(word)) {
      object.put("name", word + "x");
    }
  }

  /** What is referred to and is not there. */
  private static List<String> dangling(List<ObjectNode> documents) {
    Set<String> there = new HashSet<>();
    for (ObjectNode each : documents) {
      there.add(Manifests.kind(each) + " " + Manifests.name(each));
      if (Manifests.kind(each).equals("Kafka")) {
        there.add("Secret " + Manifests.name(each) + "-cluster-ca-cert");
        there.add("key ca.crt");
      } else if (Manifests.kind(each).equals("KafkaUser")) {
        there.add("Secret " + Manifests.name(each));
        there.addAll(List.of("key user.crt", "key user.key"));
      }
    }
    return Manifests.below(documents)
        .flatMap(ReferencesTest::references)
        .filter(reference -> !there.contains(reference))
        .toList();
  }

  private static Stream<String> references(ObjectNode object) {
    List<String> found = new ArrayList<>();
    reference(object, "configMap", "name", "ConfigMap").ifPresent(found::add);
    reference(object, "secret", "name", "Secret").ifPresent(found::add);
    reference(object, "persistentVolumeClaim", "claimName", "PersistentVolumeClaim")
        .ifPresent(found::add);
    if (object.has("serviceAccount")) {
      found.add("ServiceAccount " + object.get("serviceAccount").asText());
    }
    if (object.at("/secret/items").isArray()) {
      object.at("/secret/items").forEach(item -> found.add("key " + item.get("key").asText()));
    }
    if (object.has("containers")) {
      Set<String> volumes = new HashSet<>();
      object.path("volumes").forEach(volume -> volumes.add(volume.get("name").asText()));
      for (JsonNode container : object.get("containers")) {
        for (JsonNode mount : container.path("volumeMounts")) {
          if (!volumes.contains(mount.get("name").asText())) {
            found.add("volume " + mount.get("name").asText());
          }
        }
      }
    }
    return found.stream();
  }

  private static Optional<String> reference(
      ObjectNode object, String field, String name, String kind) {
    JsonNode reference = object.path(field);
    return reference.has(name) && !reference.path("optional").asBoolean()
        ? Optional.of(kind + " " + reference.get(name).asText())
        : Optional.empty();
  }

  private static List<String> strayPolicies(List<ObjectNode> documents) {
    Set<String> components = new HashSet<>();
    Set<String> clusters = new HashSet<>();
    for (ObjectNode document : documents) {
      if (hasPods(document)) {
        Manifests.below(List.of(document))
            .map(object -> object.path("labels").path(COMPONENT))
            .filter(JsonNode::isTextual)
            .forEach(label -> components.add(label.asText()));
        clusters.add(Manifests.name(document));
      }
    }
    List<String> stray = new ArrayList<>();
    for (ObjectNode document : documents) {
      for (String selector : List.of("/spec/podSelector", "/spec/selector")) {
        JsonNode labels = document.at(selector).path("matchLabels");
        if ((labels.has(COMPONENT) && !components.contains(labels.get(COMPONENT).asText()))
            || (labels.has("app") && !clusters.contains(labels.get("app").asText()))) {
          stray.add(Manifests.name(document));
        }
      }
    }
    return stray;
  }
}
