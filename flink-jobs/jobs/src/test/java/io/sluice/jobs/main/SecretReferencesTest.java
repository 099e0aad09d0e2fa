package io.sluice.jobs.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.control.config.ClientSettings;
import io.sluice.control.error.BadInputException;
import io.sluice.jobs.mix.MixJob;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretReferencesTest {
  private static final String PASSWORD = "d0-n0t-kn0w-me";
  private static final String JAAS =
      "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"job\" password=\""
          + PASSWORD
          + "\";";

  @TempDir Path directory;

  private Path file() throws IOException {
    Path file = directory.resolve("client.properties");
    Files.writeString(
        file,
        "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-256\nsasl.jaas.config="
            + JAAS
            + "\nssl.truststore.password="
            + PASSWORD
            + "\nclient.rack=a\n");
    return file;
  }

  @Test
  void passwordsStayInTheFileAndClientsFindThemThere() throws IOException {
    Map<String, String> settings =
        SecretReferences.to(file(), ClientSettings.read("--kafka-config", file()));

    assertThat(settings.toString()).doesNotContain(PASSWORD);
    assertThat(settings).containsEntry("client.rack", "a");
    AdminClientConfig client =
        new AdminClientConfig(
            new KafkaAccess("localhost:1", Topics.standard(), settings).with(Map.of()));
    assertThat(client.getPassword("sasl.jaas.config").value()).isEqualTo(JAAS);
    assertThat(client.getPassword("ssl.truststore.password").value()).isEqualTo(PASSWORD);
  }

  @Test
  void aChangedPasswordIsTheNextClients() throws IOException {
    Path file = file();
    Map<String, String> settings =
        SecretReferences.to(file, ClientSettings.read("--kafka-config", file));

    Files.writeString(file, Files.readString(file).replace(PASSWORD, "r0tated"));

    assertThat(new AdminClientConfig(settings(settings)).getPassword("sasl.jaas.config").value())
        .contains("r0tated");
  }

  @Test
  void whatHasNoPasswordStaysAsItIs() throws IOException {
    assertThat(SecretReferences.to(file(), Map.of("client.rack", "a")))
        .isEqualTo(Map.of("client.rack", "a"));
    Map<String, String> own =
        Map.of("config.providers", "vault", "sasl.jaas.config", "${vault:job}");
    assertThat(SecretReferences.to(file(), own)).isEqualTo(own);
  }

  @Test
  void otherProvidersStay() throws IOException {
    Map<String, String> settings =
        SecretReferences.to(
            file(), Map.of("config.providers", "env", "ssl.key.password", PASSWORD));

    assertThat(settings).containsEntry("config.providers", "env,sluice");
  }

  @Test
  void aPathThatNoReferenceCanHoldIsRefused() {
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(
            () -> SecretReferences.to(Path.of("/run/a:b"), Map.of("ssl.key.password", PASSWORD)))
        .withMessage(
            "--kafka-config must have a path without ':' and '}', for it has passwords: /run/a:b");
  }

  @Test
  void noJobGraphHasAPassword() throws IOException {
    Map<String, String> plain = ClientSettings.read("--kafka-config", file());

    assertThat(graph(plain)).contains(PASSWORD);
    assertThat(graph(SecretReferences.to(file(), plain))).doesNotContain(PASSWORD);
  }

  /** What the cluster keeps of a job. */
  private static String graph(Map<String, String> settings) throws IOException {
    StreamExecutionEnvironment env = new StreamExecutionEnvironment(new Configuration());
    MixJob.build(env, new KafkaAccess("localhost:1", Topics.standard(), settings));
    byte[] kept = InstantiationUtil.serializeObject(env.getStreamGraph().getJobGraph());
    return new String(kept, StandardCharsets.ISO_8859_1);
  }

  private static Map<String, Object> settings(Map<String, String> given) {
    Map<String, Object> all = new HashMap<>(given);
    all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
    return all;
  }
}
