package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.config.ClientSettings;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.utils.AppInfoParser;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kafka's own settings are ones that Kafka has, and what correctness needs. */
class KafkaSettingsTest {
  private static final Path CLIENT = Manifests.DEPLOY.resolve("kubernetes/base/client.properties");

  @TempDir private Path directory;

  static List<String> overlays() {
    return Manifests.overlays();
  }

  /** How many brokers an overlay has. */
  static int brokers(String overlay) {
    return Manifests.of(overlay, "KafkaNodePool").stream()
        .filter(pool -> Manifests.texts(pool.at("/spec/roles")).contains("broker"))
        .mapToInt(pool -> pool.at("/spec/replicas").asInt())
        .sum();
  }

  /** What is wrong with settings of brokers. */
  static List<String> problems(Map<String, String> settings) {
    return settings.entrySet().stream()
        .filter(setting -> !isTaken(setting.getKey(), setting.getValue()))
        .map(Object::toString)
        .sorted()
        .toList();
  }

  private static boolean isTaken(String key, String value) {
    if (!AbstractKafkaConfig.CONFIG_DEF.names().contains(key)) {
      return false;
    }
    try {
      return AbstractKafkaConfig.CONFIG_DEF.validate(Map.of(key, value)).stream()
          .filter(each -> each.name().equals(key))
          .allMatch(each -> each.errorMessages().isEmpty());
    } catch (ConfigException e) {
      return false;
    }
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void brokersTakeThem(String overlay) {
    assertThat(problems(config(overlay))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void everyInternalTopicHasAsManyCopiesAsTheOthers(String overlay) {
    int copies = Math.min(3, brokers(overlay));
    String written = Integer.toString(Math.max(1, copies - 1));
    Map<String, String> config = config(overlay);
    config.forEach(
        (key, value) -> {
          if (key.endsWith("replication.factor")) {
            assertThat(value).as(key).isEqualTo(Integer.toString(copies));
          } else if (key.endsWith("min.isr") || key.endsWith("min.insync.replicas")) {
            assertThat(value).as(key).isEqualTo(written);
          }
        });
    assertThat(config)
        .containsKeys("default.replication.factor", "transaction.state.log.min.isr")
        .containsEntry("auto.create.topics.enable", "false")
        .containsEntry("unclean.leader.election.enable", "false");
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void transactionsAreWhole(String overlay) {
    ObjectNode kafka = Manifests.only(overlay, "Kafka");
    assertThat(kafka.at("/spec/kafka/version").asText()).isEqualTo(AppInfoParser.getVersion());
    String metadata = kafka.at("/spec/kafka/metadataVersion").asText();
    assertThat(transactionVersion(metadata)).isGreaterThanOrEqualTo(2);
    assertThat(transactionVersion("3.9-IV0")).isLessThan(2);
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void nobodyIsLetInWithoutCertificateAndRights(String overlay) {
    ObjectNode kafka = Manifests.only(overlay, "Kafka");
    assertThat(kafka.at("/spec/kafka/authorization/type").asText()).isEqualTo("simple");
    assertThat(kafka.at("/spec/kafka/listeners"))
        .isNotEmpty()
        .allSatisfy(
            listener -> {
              assertThat(listener.get("tls").asBoolean()).isTrue();
              assertThat(listener.at("/authentication/type").asText()).isEqualTo("tls");
            });
  }

  @Test
  void clientsReadCertificatesFromTheFilesBesideTheirSettings() throws IOException {
    Map<String, String> files =
        Map.of("ca.crt", "authority", "user.crt", "certificate", "user.key", "key");
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
    Map<String, Object> settings = new HashMap<>(clientSettings(Manifests.read(CLIENT)));
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:9093");
    AdminClientConfig config = new AdminClientConfig(settings);
    assertThat(config.originals())
        .containsEntry("ssl.truststore.certificates", "authority")
        .containsEntry("ssl.keystore.certificate.chain", "certificate")
        .containsEntry("ssl.keystore.key", "key");
    assertThat(config.getPassword("ssl.keystore.key")).isEqualTo(new Password("key"));
    assertThat(unknown(config)).isEmpty();
  }

  @Test
  void typingErrorsAreFound() throws IOException {
    assertThat(
            problems(
                Map.of(
                    "min.insync.replica", "2",
                    "transaction.state.log.min.isr", "two",
                    "auto.create.topics.enable", "false")))
        .containsExactly("min.insync.replica=2", "transaction.state.log.min.isr=two");
    assertThatThrownBy(() -> transactionVersion("4.2-IV9"))
        .isInstanceOf(IllegalArgumentException.class);
    String wrong = Manifests.read(CLIENT).replace("truststore.type", "trustore.type");
    assertThatThrownBy(() -> clientSettings(wrong))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("did you mean ssl.truststore.type?");
    String other = Manifests.read(CLIENT).replace("ssl.truststore.type", "ssl.kind");
    Map<String, Object> settings = new HashMap<>(clientSettings(other));
    settings.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:9093");
    assertThat(unknown(new AdminClientConfig(settings))).containsExactly("ssl.kind");
  }

  private Map<String, String> clientSettings(String text) throws IOException {
    Path file = directory.resolve("client.properties");
    Files.writeString(file, text.replace("/etc/sluice/kafka", directory.toString()));
    return ClientSettings.read("a manifest", file);
  }

  private static List<String> unknown(AdminClientConfig config) {
    return config.originals().keySet().stream()
        .filter(key -> !AdminClientConfig.configNames().contains(key))
        .filter(key -> !key.startsWith(AbstractConfig.CONFIG_PROVIDERS_CONFIG))
        .sorted()
        .collect(Collectors.toList());
  }

  private static int transactionVersion(String metadata) {
    return Feature.TRANSACTION_VERSION.defaultLevel(
        MetadataVersion.fromVersionString(metadata, false));
  }

  private static Map<String, String> config(String overlay) {
    return Manifests.settings(Manifests.only(overlay, "Kafka").at("/spec/kafka/config"));
  }
}
