package io.sluice.lab.manifest;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * What documents of each kind may say: Strimzi's and Kubernetes' own models, and those here of who
 * publishes none. A field that a model does not have is refused, as is a value of another type.
 */
final class Kinds {
  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(new NothingIsLeftOver())
          .addModule(new SimpleModule().setDeserializerModifier(new EveryWordIsKnown()))
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_IGNORED_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private static final Map<String, Class<?>> MODELS =
      Map.ofEntries(
          Map.entry("kafka.strimzi.io/v1/Kafka", Kafka.class),
          Map.entry("kafka.strimzi.io/v1/KafkaNodePool", KafkaNodePool.class),
          Map.entry("kafka.strimzi.io/v1/KafkaTopic", KafkaTopic.class),
          Map.entry("kafka.strimzi.io/v1/KafkaUser", KafkaUser.class),
          Map.entry("apps/v1/Deployment", Deployment.class),
          Map.entry("flink.apache.org/v1beta1/FlinkDeployment", FlinkModel.Deployment.class),
          Map.entry("jobset.x-k8s.io/v1alpha2/JobSet", OtherModels.JobSet.class),
          Map.entry("monitoring.coreos.com/v1/PodMonitor", OtherModels.PodMonitor.class),
          Map.entry("networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class),
          Map.entry("policy/v1/PodDisruptionBudget", PodDisruptionBudget.class),
          Map.entry("rbac.authorization.k8s.io/v1/Role", Role.class),
          Map.entry("rbac.authorization.k8s.io/v1/RoleBinding", RoleBinding.class),
          Map.entry("v1/ConfigMap", ConfigMap.class),
          Map.entry("v1/Namespace", Namespace.class),
          Map.entry("v1/PersistentVolumeClaim", PersistentVolumeClaim.class),
          Map.entry("v1/ServiceAccount", ServiceAccount.class));

  private Kinds() {}

  /** What is wrong with a document. */
  static Optional<String> problem(JsonNode document) {
    String kind = document.path("apiVersion").asText() + "/" + Manifests.kind(document);
    Class<?> model = MODELS.get(kind);
    return model == null ? Optional.of("no kind that is known: " + kind) : problem(document, model);
  }

  /** What is wrong with a document of a model. */
  static Optional<String> problem(JsonNode document, Class<?> model) {
    try {
      STRICT.treeToValue(document, model);
      return Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** The models keep fields that they do not know, for whoever is older than a cluster. */
  private static final class NothingIsLeftOver extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated annotated) {
      return false;
    }

    /** What Strimzi's models call deprecated is of versions before v1. */
    @Override
    public boolean hasIgnoreMarker(AnnotatedMember member) {
      return member.hasAnnotation(Deprecated.class) || super.hasIgnoreMarker(member);
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(
        MapperConfig<?> config, Annotated annotated) {
      return super.findPropertyIgnoralByName(config, annotated).withoutIgnoreUnknown();
    }
  }

  /** Strimzi's enumerations make nothing of a word that they do not know. */
  private static final class EveryWordIsKnown extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1;

    @Override
    public JsonDeserializer<?> modifyEnumDeserializer(
        DeserializationConfig config,
        JavaType type,
        BeanDescription description,
        JsonDeserializer<?> deserializer) {
      return new KnownWord(deserializer);
    }
  }

  private static final class KnownWord extends DelegatingDeserializer {
    private static final long serialVersionUID = 1;

    KnownWord(JsonDeserializer<?> words) {
      super(words);
    }

    @Override
    protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> words) {
      return new KnownWord(words);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      String word = parser.getText();
      Object known = super.deserialize(parser, context);
      return known == null
          ? context.handleWeirdStringValue(handledType(), word, "no word of its field")
          : known;
    }
  }
}
