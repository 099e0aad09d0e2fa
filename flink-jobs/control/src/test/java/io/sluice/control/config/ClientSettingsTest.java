package io.sluice.control.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientSettingsTest {
  @TempDir private Path directory;

  @Test
  void settingsAreThoseOfTheFileThoseOfPluginsAmongThem() throws IOException {
    Path file = file("security.protocol=SSL\ncompany.interceptor.team = search\n");
    assertThat(ClientSettings.read("--kafka-config", file))
        .containsEntry("security.protocol", "SSL")
        .containsEntry("company.interceptor.team", "search")
        .hasSize(2);
    assertThat(ClientSettings.read("--kafka-config", file("# nothing\n"))).isEmpty();
  }

  @Test
  void aKeyThatIsNearlyKafkasIsRefused() throws IOException {
    Path file = file("security.protcol=SSL\nsasl.mechanism=PLAIN\n");
    assertThatThrownBy(() -> ClientSettings.read("--kafka-config", file))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "--kafka-config: security.protcol in "
                + file
                + " is no setting of Kafka's clients: did you mean security.protocol?");
  }

  @Test
  void aFileOfSomethingElseIsRefused() throws IOException {
    Path file = file("dataset: small\ndomains: [wiki]\n");
    assertThatThrownBy(() -> ClientSettings.read("$SLUICE_KAFKA_CONFIG", file))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith(
            "$SLUICE_KAFKA_CONFIG must have settings of Kafka's clients, such as security.protocol:")
        .hasMessageContaining("dataset");
    assertThatThrownBy(() -> ClientSettings.read("--kafka-config", directory))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("--kafka-config must be a readable properties file: ");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("kafka.properties"), text);
  }
}
