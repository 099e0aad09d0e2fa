package io.sluice.service.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerProgramTest {
  @TempDir private Path directory;

  @Test
  void threeBrokersKnowEachOtherAndKeepThreeCopies() {
    List<BrokerProgram> programs = BrokerProgram.in(directory, 0, 3, 128, port -> port + 1);
    List<Properties> settings = programs.stream().map(BrokerProgramTest::settings).toList();
    assertThat(settings.stream().map(p -> p.get("node.id"))).containsExactly("1", "2", "3");
    assertThat(settings.stream().map(p -> p.get("controller.quorum.voters")).distinct())
        .singleElement()
        .asString()
        .contains("1@127.0.0.1:", ",2@127.0.0.1:", ",3@127.0.0.1:");
    for (int i = 0; i < programs.size(); i++) {
      assertThat(settings.get(i))
          .containsEntry("default.replication.factor", "3")
          .containsEntry("transaction.state.log.min.isr", "2")
          .containsEntry("broker.session.timeout.ms", "1500")
          .containsEntry("replica.fetch.backoff.ms", "100")
          .containsEntry("log.dirs", programs.get(i).log().toString())
          .containsEntry(
              "advertised.listeners", "PLAINTEXT://" + programs.get(i).bootstrapServers());
      int told = port(programs.get(i).bootstrapServers());
      assertThat(settings.get(i).getProperty("listeners")).contains(":" + (told - 1) + ",");
    }
    assertThat(clusterIds(programs).distinct()).hasSize(1);
  }

  @Test
  void theClusterStaysItselfWhenItIsStartedAgain() {
    List<BrokerProgram> first = BrokerProgram.in(directory, 0, 3, 128, port -> port);
    List<BrokerProgram> again = BrokerProgram.in(directory, 0, 3, 128, port -> port);
    assertThat(again.stream().map(BrokerProgram::log))
        .containsExactlyElementsOf(first.stream().map(BrokerProgram::log).toList());
    assertThat(clusterIds(again)).containsExactlyElementsOf(clusterIds(first).toList());
  }

  @Test
  void aBrokerAloneHasItsHomeForItself() {
    BrokerProgram alone = BrokerProgram.in(directory, 0, 128);
    assertThat(alone.home()).isEqualTo(directory);
    assertThat(settings(alone))
        .containsEntry("default.replication.factor", "1")
        .containsEntry("broker.session.timeout.ms", "3000");
  }

  private static Stream<String> clusterIds(List<BrokerProgram> programs) {
    return programs.stream().map(program -> program.process().arguments().get(1));
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static Properties settings(BrokerProgram program) {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(program.home().resolve("server.properties"))) {
      properties.load(in);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return properties;
  }
}
