package io.sluice.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.Topics;
import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.local.LocalSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;

/** Every key of the settings of a service, of a mini cluster and of a cluster. */
class ClusterSettingsTest {
  private static final LocalSettings SERVICE =
      LocalSettings.in(Path.of("/state"))
          .withPort(9093)
          .withTopics(new Topics("team."))
          .withPrepareThreads(3);

  @Test
  void everyKeyOfAServiceIsTaken() {
    assertThat(SERVICE)
        .hasToString(
            "LocalSettings[stateDirectory=/state, kafka=Optional.empty, port=9093,"
                + " topics=Topics[prefix=team., datasetsPrefix=team.], checkpointInterval=PT0.5S,"
                + " prepareThreads=3,"
                + " sourceRoots=SourceRoots[folders=[]]]");
  }

  @Test
  void everyKeyOfAMiniClusterIsTakenAndHasARange() {
    FlinkSettings settings = FlinkSettings.in(Path.of("/state"));
    assertThat(settings.withTaskManagers(2, 3).withCheckpointInterval(Duration.ofSeconds(4)))
        .hasToString(
            "FlinkSettings[stateDirectory=/state, taskManagers=2, slots=3,"
                + " checkpointInterval=PT4S]");
    assertThatThrownBy(() -> settings.withTaskManagers(0, 3)).hasMessageContaining("task managers");
    assertThatThrownBy(() -> settings.withTaskManagers(1, 0)).hasMessageContaining("slots");
    assertThatThrownBy(() -> settings.withCheckpointInterval(Duration.ofMillis(9)))
        .hasMessage("checkpoint interval must be at least 10 ms: 9ms");
  }

  @Test
  void everyKeyOfAClusterIsTakenAndHasARange() {
    ProcessMemory memory =
        new ProcessMemory(
            MemorySize.ofMebiBytes(200), MemorySize.ofMebiBytes(700), MemorySize.ofMebiBytes(2000));
    ClusterSettings settings =
        new ClusterSettings(SERVICE, 3, 3, 5, 4, memory, Duration.ofSeconds(6), Map.of("a", "b"));
    assertThat(settings)
        .hasToString(
            "ClusterSettings[service="
                + SERVICE
                + ", brokers=3, taskManagers=3, parallelism=5, prepareParallelism=4, memory="
                + memory
                + ", deliveryTimeout=PT6S, flink={a=b}]");
    assertThatThrownBy(() -> ClusterSettings.of(SERVICE, 65))
        .hasMessage("task managers must be from 1 to 64: 65");
    assertThatThrownBy(
            () ->
                new ClusterSettings(SERVICE, 1, 3, 97, 3, memory, Duration.ofSeconds(6), Map.of()))
        .hasMessage("parallelism must be from 1 to 96: 97");
    assertThatThrownBy(
            () ->
                new ClusterSettings(SERVICE, 1, 3, 3, 97, memory, Duration.ofSeconds(6), Map.of()))
        .hasMessage("parallelism of preparing must be from 1 to 96: 97");
    assertThat(settings.withBrokers(1).brokers()).isEqualTo(1);
    assertThatThrownBy(() -> settings.withBrokers(2)).hasMessage("brokers must be 1 or 3: 2");
    assertThatThrownBy(() -> settings.withDeliveryTimeout(Duration.ofMillis(999)))
        .hasMessage("delivery timeout must be at least 1 s: 999ms");
  }
}
