package io.sluice.cli.plan.form;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.Topics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesNameTest {
  private static final String LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
  private static final String DOMAIN = LABEL + "(\\." + LABEL + ")*";

  @ParameterizedTest
  @ValueSource(strings = {"sluice.datasets", "sluice.corpus.wiki", "a", "a-b.c1"})
  void whatIsLegalStays(String name) {
    assertThat(KubernetesName.of(name, KubernetesName.TOPIC, true)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sluice.corpus.A_b",
        "sluice.corpus.wiki-",
        "sluice.blocks.a_.-b",
        "_team.corpus.x",
        "sluice..x",
        "sluice.corpus.w___",
        "Ä.corpus.x"
      })
  void whatIsNotBecomesLegal(String name) {
    assertThat(KubernetesName.of(name, KubernetesName.TOPIC, true)).matches(DOMAIN);
    assertThat(KubernetesName.of(name, KubernetesName.USER, false)).matches(LABEL);
  }

  @Test
  void namesThatDifferStayApart() {
    Set<String> names = new HashSet<>();
    for (String name : List.of("A_b", "a_b", "a-b", "A-b", "a-B", "a_B")) {
      names.add(KubernetesName.of(name, KubernetesName.TOPIC, true));
    }
    assertThat(names).hasSize(6).contains("a-b");
  }

  @Test
  void longOnesAreCut() {
    String run = "r".repeat(63);
    String user = KubernetesName.user(Topics.standard(), "trainer-" + run);
    assertThat(user).hasSize(64).startsWith("sluice-trainer-rrr").matches(LABEL);
    assertThat(KubernetesName.of("x".repeat(300), KubernetesName.DEPLOYMENT, false)).hasSize(45);
    assertThat(KubernetesName.user(new Topics("Team_1."), "jobs"))
        .matches("team-1-jobs-[0-9a-f]{8}");
    assertThat(KubernetesName.user(new Topics(""), "jobs")).isEqualTo("jobs");
  }
}
