package io.sluice.cli.rights;

import io.sluice.control.rights.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;

/**
 * Rights as others' tools read them.
 *
 * @param user without {@code User:}
 */
public record RightsText(String user, List<Right> rights) {
  /** Commands of Kafka's own tool. */
  public List<String> commands(String servers) {
    return rights.stream()
        .map(
            right ->
                "kafka-acls.sh --bootstrap-server "
                    + servers
                    + " --add --allow-principal 'User:"
                    + user
                    + "' "
                    + right.operations().stream()
                        .map(operation -> "--operation " + word(operation))
                        .collect(Collectors.joining(" "))
                    + " --"
                    + right.type().name().toLowerCase(Locale.ROOT).replace('_', '-')
                    + " '"
                    + right.name()
                    + "' --resource-pattern-type "
                    + right.pattern().name().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** A KafkaUser of Strimzi, with a certificate of its own. */
  public List<String> strimzi(String cluster) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "apiVersion: kafka.strimzi.io/v1",
                "kind: KafkaUser",
                "metadata:",
                "  name: " + user,
                "  labels: {strimzi.io/cluster: " + cluster + "}",
                "spec:",
                "  authentication: {type: tls}",
                "  authorization:",
                "    type: simple",
                "    acls:"));
    for (Right right : rights) {
      lines.add("      - resource:");
      lines.add("          type: " + camelCase(right.type().name()));
      lines.add("          name: '" + right.name() + "'");
      lines.add(
          "          patternType: "
              + (right.pattern() == PatternType.LITERAL ? "literal" : "prefix"));
      lines.add(
          "        operations: ["
              + right.operations().stream().map(RightsText::word).collect(Collectors.joining(", "))
              + "]");
    }
    return List.copyOf(lines);
  }

  private static String word(AclOperation operation) {
    return joined(operation.name());
  }

  /** Such as {@code transactionalId}. */
  private static String camelCase(String name) {
    String joined = joined(name);
    return joined.substring(0, 1).toLowerCase(Locale.ROOT) + joined.substring(1);
  }

  /** Such as {@code DescribeConfigs}. */
  private static String joined(String name) {
    return Stream.of(name.split("_", -1))
        .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}
