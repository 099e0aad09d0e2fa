package io.sluice.control.rights;

import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What somebody may do with one resource of Kafka, or with all whose names begin alike.
 *
 * @param pattern {@code LITERAL} or {@code PREFIXED}
 * @param name the resource's, or what names begin with
 * @param operations in the order in which they are shown
 */
public record Right(
    ResourceType type, PatternType pattern, String name, List<AclOperation> operations) {
  private static final Set<PatternType> PATTERNS =
      Set.of(PatternType.LITERAL, PatternType.PREFIXED);

  /** Checks the pattern, and copies the operations. */
  public Right {
    if (!PATTERNS.contains(pattern) || name.isEmpty() || operations.isEmpty()) {
      throw new IllegalArgumentException(
          "a right must be to do something with what has a name or its beginning: "
              + List.of(type, pattern, name, operations));
    }
    operations = List.copyOf(operations);
  }

  static Right topic(String name, AclOperation... operations) {
    return new Right(ResourceType.TOPIC, PatternType.LITERAL, name, List.of(operations));
  }

  static Right topics(String prefix, AclOperation... operations) {
    return new Right(ResourceType.TOPIC, PatternType.PREFIXED, prefix, List.of(operations));
  }

  /** The same as Kafka keeps it. */
  public List<AclBinding> bindings(String principal) {
    return operations.stream()
        .map(
            operation ->
                new AclBinding(
                    new ResourcePattern(type, name, pattern),
                    new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW)))
        .toList();
  }
}
