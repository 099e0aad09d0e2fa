package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicsTest {
  private final Topics topics = new Topics("team-a.");

  @Test
  void everyNameIsUnderThePrefix() {
    assertThat(topics.corpus("java")).isEqualTo("team-a.corpus.java");
    assertThat(topics.blocks("d", "java")).isEqualTo("team-a.blocks.d.java");
    assertThat(topics.eval("d", "java")).isEqualTo("team-a.eval.d.java");
    assertThat(topics.supply("d")).isEqualTo("team-a.supply.d");
    assertThat(topics.releases("d")).isEqualTo("team-a.releases.d");
    assertThat(topics.datasets()).isEqualTo("team-a.datasets");
    assertThat(topics.refineries()).isEqualTo("team-a.refineries");
    assertThat(topics.refined("r")).isEqualTo("team-a.refined.r");
    assertThat(topics.runs()).isEqualTo("team-a.runs");
    assertThat(topics.control()).isEqualTo("team-a.control");
    assertThat(topics.stream("r")).isEqualTo("team-a.stream.r");
    assertThat(topics.feedback("r")).isEqualTo("team-a.feedback.r");
    assertThat(topics.status()).isEqualTo("team-a.status");
    assertThat(topics.deadLetters()).isEqualTo("team-a.deadletter");
    assertThat(Topics.standard().control()).isEqualTo("sluice.control");
  }

  @Test
  void datasetsMayBeUnderAnotherPrefix() {
    Topics both = Topics.of("team-a.:shared.");
    assertThat(both).isEqualTo(new Topics("team-a.", "shared."));
    assertThat(both.blocks("d", "java")).isEqualTo("shared.blocks.d.java");
    assertThat(both.datasets()).isEqualTo("shared.datasets");
    assertThat(both.purging(both.corpus("java"))).isEqualTo("shared.purging.corpus.java");
    assertThat(both.control("r.1")).isEqualTo("team-a.control.r.1");
    assertThat(both.stream("r")).isEqualTo("team-a.stream.r");
    assertThat(both.deadLetters()).isEqualTo("team-a.deadletter");
    assertThat(both.ownsDatasets()).isFalse();
    assertThat(both.prefixes()).isEqualTo("team-a.:shared.");
    assertThat(both.mayBeOf("shared.datasets")).isTrue();
    assertThat(both.mayBeOf("team-b.runs")).isFalse();
    assertThat(Topics.of("team-a.")).isEqualTo(topics);
    assertThat(Topics.of("team-a.:team-a.").prefixes()).isEqualTo("team-a.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.:b.:c.", "a b:", ":b c"})
  void prefixesThatAreRefused(String prefixes) {
    assertThatThrownBy(() -> Topics.of(prefixes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("or two such with a ':' between");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java",
        "C",
        "web-2024_10",
        "0",
        "a234567890123456789012345678901234567890123456789012345678901_3"
      })
  void namesThatAreAllowed(String name) {
    assertThat(Topics.requireName("domain", name)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-a",
        "_a",
        "a.b",
        "a b",
        "größe",
        "a/b",
        "a\n",
        "a2345678901234567890123456789012345678901234567890123456789012_4"
      })
  void namesThatAreRefused(String name) {
    assertThatThrownBy(() -> Topics.requireName("domain", name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "domain must be 1 to 63 letters, digits, '_' or '-', starting with a letter or digit: '"
                + name
                + "'");
  }

  @Test
  void aPrefixThatKafkaWouldRefuseIsRefused() {
    assertThatThrownBy(() -> new Topics("a/b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "prefix must be at most 64 letters, digits, '.', '_' or '-', or two such with a ':'"
                + " between: 'a/b'");
  }

  @Test
  void aClientsOwnSettingsWinOverTheSharedOnes() {
    KafkaAccess access =
        new KafkaAccess("broker:9092", topics, Map.of("acks", "1", "sasl.mechanism", "PLAIN"));
    Properties settings = access.with(Map.of("acks", "all"));
    assertThat(settings)
        .containsOnly(
            Map.entry("bootstrap.servers", "broker:9092"),
            Map.entry("acks", "all"),
            Map.entry("sasl.mechanism", "PLAIN"));
  }

  @Test
  void accessNamesNoSettingWhenItIsPrinted() {
    KafkaAccess access =
        new KafkaAccess("b:1", Topics.standard(), Map.of("sasl.jaas.config", "secret"));
    assertThat(access).hasToString("Kafka at b:1 under sluice. with 1 settings");
    assertThat(access.with(Map.of())).containsEntry("sasl.jaas.config", "secret");
  }
}
