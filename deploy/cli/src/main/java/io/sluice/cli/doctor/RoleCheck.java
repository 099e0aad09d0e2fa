package io.sluice.cli.doctor;

import io.sluice.control.rights.Right;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Whether this user has the rights of a role, as far as brokers say: of topics that are there, and
 * of names that begin alike one after another.
 *
 * @param role for people, such as {@code trainer}
 */
record RoleCheck(Brokers brokers, String role, List<Right> rights) implements Check {
  /** Of names that begin alike; the others have the same rights. */
  private static final int MOST_NAMES = 20;

  private static final String PROBE = "doctor";

  RoleCheck {
    rights = List.copyOf(rights);
  }

  @Override
  public String name() {
    return "rights";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    Set<String> seen = brokers.admin().listTopics().names().get();
    Set<String> lacking = new TreeSet<>();
    for (Right right : rights) {
      for (String name : names(right, seen)) {
        missing(right, name)
            .ifPresent(
                operations ->
                    lacking.add(
                        operations
                            + " "
                            + right.type().name().toLowerCase(Locale.ROOT)
                            + " "
                            + name));
      }
    }
    return lacking.isEmpty()
        ? List.of(Finding.ok(name(), "this user has those of " + role + ", as far as brokers say"))
        : lacking.stream().map(this::lacking).collect(Collectors.toList());
  }

  /** Of whose resources a right can be looked at. */
  private static List<String> names(Right right, Collection<String> topics) {
    if (right.pattern() == PatternType.LITERAL) {
      return List.of(right.name());
    }
    return right.type() == ResourceType.TOPIC
        ? topics.stream()
            .filter(topic -> topic.startsWith(right.name()))
            .sorted()
            .limit(MOST_NAMES)
            .toList()
        : List.of(right.name() + PROBE);
  }

  /** What of a right is not given; empty if all of it is, or nobody can tell. */
  private Optional<String> missing(Right right, String name)
      throws ExecutionException, InterruptedException {
    try {
      return missing(right.operations(), allowed(right.type(), name));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return missing(right.operations(), Set.of());
      }
      // Who may not describe it is told so, and not that it is not there.
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof GroupIdNotFoundException
          || e.getCause() instanceof TransactionalIdNotFoundException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Operations that are allowed; null where brokers do not say. */
  private @Nullable Collection<AclOperation> allowed(ResourceType type, String name)
      throws ExecutionException, InterruptedException {
    return switch (type) {
      case TOPIC ->
          brokers
              .admin()
              .describeTopics(
                  List.of(name), new DescribeTopicsOptions().includeAuthorizedOperations(true))
              .allTopicNames()
              .get()
              .values()
              .iterator()
              .next()
              .authorizedOperations();
      case GROUP ->
          brokers
              .admin()
              .describeConsumerGroups(
                  List.of(name),
                  new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true))
              .all()
              .get()
              .values()
              .iterator()
              .next()
              .authorizedOperations();
      case TRANSACTIONAL_ID -> {
        brokers.admin().describeTransactions(List.of(name)).description(name).get();
        yield null;
      }
      default -> null;
    };
  }

  /** What of some operations is not among those that are allowed. */
  static Optional<String> missing(
      Collection<AclOperation> needed, @Nullable Collection<AclOperation> allowed) {
    if (allowed == null) {
      return Optional.empty();
    }
    String missing =
        needed.stream()
            .filter(each -> !allowed.contains(each))
            .map(AclOperation::name)
            .collect(Collectors.joining(", "));
    return missing.isEmpty() ? Optional.empty() : Optional.of(missing);
  }

  private Finding lacking(String what) {
    return Finding.failure(
        name(),
        "this user may not " + what + ", which a " + role + " needs",
        "'sluice rights " + role + " --user USER --apply', by who may alter the cluster");
  }
}
