package io.sluice.lab.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What a KafkaUser may do, as Kafka's authorizer reads its rules. */
record Rights(List<Rule> rules) {
  /** What Kafka grants with an operation. */
  private static final Map<AclOperation, Set<AclOperation>> IMPLIED =
      new EnumMap<>(
          Map.of(
              AclOperation.READ, EnumSet.of(AclOperation.DESCRIBE),
              AclOperation.WRITE, EnumSet.of(AclOperation.DESCRIBE),
              AclOperation.DELETE, EnumSet.of(AclOperation.DESCRIBE),
              AclOperation.ALTER, EnumSet.of(AclOperation.DESCRIBE),
              AclOperation.ALTER_CONFIGS, EnumSet.of(AclOperation.DESCRIBE_CONFIGS)));

  private static final Map<String, AclOperation> OPERATIONS =
      EnumSet.allOf(AclOperation.class).stream()
          .collect(Collectors.toMap(each -> each.name().replace("_", ""), each -> each));

  /** The same as Kafka has it. */
  Map<ResourcePattern, Set<AclOperation>> patterns() {
    return rules.stream()
        .collect(
            Collectors.toMap(
                rule ->
                    new ResourcePattern(
                        rule.type(),
                        rule.name(),
                        rule.prefix() ? PatternType.PREFIXED : PatternType.LITERAL),
                Rule::given));
  }

  /**
   * One rule, which allows.
   *
   * @param given the operations that it names
   */
  record Rule(ResourceType type, boolean prefix, String name, Set<AclOperation> given) {
    private Set<AclOperation> operations() {
      Set<AclOperation> all = EnumSet.copyOf(given);
      given.forEach(operation -> all.addAll(IMPLIED.getOrDefault(operation, Set.of())));
      return all;
    }

    private boolean isOf(ResourceType resource, String named) {
      return type == resource && (prefix ? named.startsWith(name) : named.equals(name));
    }
  }

  static Rights of(JsonNode user) {
    List<Rule> rules = new ArrayList<>();
    for (JsonNode acl : user.at("/spec/authorization/acls")) {
      Set<AclOperation> operations = EnumSet.noneOf(AclOperation.class);
      Manifests.texts(acl.get("operations"))
          .forEach(operation -> operations.add(OPERATIONS.get(operation.toUpperCase(Locale.ROOT))));
      JsonNode resource = acl.get("resource");
      rules.add(
          new Rule(
              type(resource.get("type").asText()),
              resource.path("patternType").asText().equals("prefix"),
              resource.get("name").asText(),
              operations));
    }
    return new Rights(rules);
  }

  private static ResourceType type(String name) {
    return switch (name) {
      case "topic" -> ResourceType.TOPIC;
      case "group" -> ResourceType.GROUP;
      case "transactionalId" -> ResourceType.TRANSACTIONAL_ID;
      default -> ResourceType.CLUSTER;
    };
  }

  /** Whether an operation is allowed. */
  boolean allow(AclOperation operation, ResourceType type, String name) {
    return rules.stream()
        .anyMatch(rule -> rule.isOf(type, name) && rule.operations().contains(operation));
  }

  /** Those of some topics on which an operation is allowed. */
  Set<String> topics(AclOperation operation, Collection<String> among) {
    return among.stream()
        .filter(topic -> allow(operation, ResourceType.TOPIC, topic))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
