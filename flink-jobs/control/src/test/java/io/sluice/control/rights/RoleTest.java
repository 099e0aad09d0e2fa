package io.sluice.control.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.schema.Topics;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class RoleTest {
  private static final Topics TOPICS = new Topics("team.");

  private static boolean allows(Role role, AclOperation operation, String topic) {
    return allows(TOPICS, role, operation, topic);
  }

  private static boolean allows(Topics topics, Role role, AclOperation operation, String topic) {
    return role.rights(topics).stream()
        .filter(right -> right.type() == ResourceType.TOPIC)
        .filter(
            right ->
                right.pattern() == PatternType.LITERAL
                    ? right.name().equals(topic)
                    : topic.startsWith(right.name()))
        .anyMatch(right -> right.operations().contains(operation));
  }

  @Test
  void aTrainerHasItsRunAndNoneWhoseNameBeginsAlike() {
    Role trainer = new Role.Trainer("velo", "small");
    assertThat(List.of("team.stream.velo", "team.control.velo.1a", "team.eval.small.wiki"))
        .allMatch(topic -> allows(trainer, AclOperation.READ, topic))
        .noneMatch(topic -> allows(trainer, AclOperation.WRITE, topic));
    assertThat(allows(trainer, AclOperation.WRITE, "team.feedback.velo")).isTrue();
    assertThat(
            List.of(
                "team.stream.velo-2",
                "team.control.velo-2.1a",
                "team.feedback.velo-2",
                "team.eval.small-2.wiki",
                "team.corpus.wiki",
                "team.blocks.small.wiki",
                "team.runs"))
        .noneMatch(topic -> allows(trainer, AclOperation.READ, topic));
  }

  @Test
  void datasetsOfOthersAreReadAndNotMade() {
    Topics topics = Topics.of("team.:shared.");
    List<String> shared = List.of("shared.blocks.small.wiki", "shared.supply.small");
    for (Role role : List.of(new Role.Job(), new Role.Operator())) {
      assertThat(shared)
          .allMatch(topic -> allows(topics, role, AclOperation.READ, topic))
          .noneMatch(topic -> allows(topics, role, AclOperation.WRITE, topic))
          .noneMatch(topic -> allows(topics, role, AclOperation.CREATE, topic));
      assertThat(allows(topics, role, AclOperation.WRITE, "team.stream.velo")).isTrue();
      assertThat(allows(topics, role, AclOperation.READ, "other.stream.velo")).isFalse();
    }
    Role trainer = new Role.Trainer("velo", "small");
    assertThat(allows(topics, trainer, AclOperation.READ, "shared.eval.small.wiki")).isTrue();
    assertThat(allows(topics, trainer, AclOperation.READ, "shared.blocks.small.wiki")).isFalse();
  }

  @Test
  void nobodyButAnOperatorMakesOrDeletesTopics() {
    List<Role> others =
        List.of(
            new Role.Job(),
            new Role.Observer(),
            new Role.Producer("wiki"),
            new Role.Trainer("velo", "small"));
    assertThat(others).noneMatch(role -> allows(role, AclOperation.CREATE, "team.corpus.wiki"));
    assertThat(allows(new Role.Operator(), AclOperation.CREATE, "team.corpus.wiki")).isTrue();
    assertThat(allows(new Role.Operator(), AclOperation.CREATE, "other.corpus.wiki")).isFalse();
  }

  @Test
  void aRoleIsOfWhatTopicsCanBeNamedAfter() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Role.Producer("a.b"))
        .withMessageStartingWith("domain must be 1 to 63 letters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Role.Trainer("*", "small"))
        .withMessageStartingWith("run must be 1 to 63 letters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Right.topic("a"))
        .withMessageStartingWith("a right must be to do something");
  }
}
