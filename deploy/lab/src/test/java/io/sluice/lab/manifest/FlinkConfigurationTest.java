package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.state.rocksdb.RocksDBOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the files say to Flink is what this release of Flink understands. */
class FlinkConfigurationTest {
  static List<String> overlays() {
    return Manifests.overlays();
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void everyKeyIsAnOptionAndEveryValueOneOfIt(String overlay) {
    assertThat(deployments(overlay))
        .hasSizeGreaterThan(1)
        .allSatisfy(
            deployment -> assertThat(problems(configuration(deployment))).as(overlay).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void jobsOutliveTheirProcessesAndUpgrades(String overlay) {
    assertThat(deployments(overlay))
        .allSatisfy(
            deployment -> {
              assertThat(configuration(deployment))
                  .containsEntry("high-availability.type", "kubernetes")
                  .containsKeys(
                      "high-availability.storageDir",
                      "execution.checkpointing.dir",
                      "execution.checkpointing.savepoint-dir");
              assertThat(deployment.at("/spec/job/upgradeMode").asText()).isEqualTo("savepoint");
              assertThat(deployment.at("/spec/job/state").asText()).isEqualTo("running");
            });
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void onlyWhatNobodyTrainsOnIsRescaledByItself(String overlay) {
    Map<String, String> scaled =
        deployments(overlay).stream()
            .collect(
                Collectors.toMap(
                    deployment -> deployment.at("/spec/job/args/0").asText(),
                    deployment -> configuration(deployment).get("job.autoscaler.enabled")));
    assertThat(scaled).isEqualTo(Map.of("mix", "false", "prepare", "true"));
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    String[] version = EnvironmentInformation.getVersion().split("\\.", -1);
    assertThat(deployments("production"))
        .allSatisfy(
            deployment ->
                assertThat(deployment.at("/spec/flinkVersion").asText())
                    .isEqualTo("v" + version[0] + "_" + version[1]));
  }

  @Test
  void aTypingErrorIsFoundInEachKeyAndInValues() {
    assertThat(FlinkOptions.count()).isGreaterThan(400);
    for (ObjectNode deployment : deployments("production")) {
      Map<String, String> sound = configuration(deployment);
      for (String key : sound.keySet()) {
        Map<String, String> wrong = new HashMap<>(sound);
        wrong.put(key + "s", wrong.remove(key));
        assertThat(problems(wrong)).as(key).isNotEmpty();
      }
    }
    assertThat(problems(Map.of("heartbeat.timeout", "10 seks")))
        .singleElement()
        .asString()
        .contains("heartbeat.timeout", "seks");
    assertThat(problems(Map.of("metrics.reporter.p.factory.class", "Prometheus")))
        .containsExactly("no reporter: Prometheus");
    String ofRocks = RocksDBOptions.USE_MANAGED_MEMORY.key();
    assertThat(problems(Map.of(ofRocks, "false"))).isEmpty();
    assertThat(problems(Map.of(ofRocks, "no"))).hasSize(1);
  }

  static List<String> problems(Map<String, String> configuration) {
    return configuration.keySet().stream()
        .flatMap(key -> FlinkOptions.problem(key, configuration).stream())
        .toList();
  }

  private static List<ObjectNode> deployments(String overlay) {
    return Manifests.of(overlay, "FlinkDeployment");
  }

  private static Map<String, String> configuration(ObjectNode deployment) {
    return Manifests.settings(deployment.at("/spec/flinkConfiguration"));
  }
}
