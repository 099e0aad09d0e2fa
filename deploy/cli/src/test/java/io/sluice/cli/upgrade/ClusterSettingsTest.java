package io.sluice.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "execution.target, remote, true",
    "execution.target, kubernetes-session, false",
    "execution.target, yarn-session, false",
    "jobmanager.scheduler, Default, true",
    "jobmanager.scheduler, Adaptive, false",
    "scheduler-mode, REACTIVE, false",
  })
  void slotsAreFixedUnlessFlinkStartsTaskManagersOrRunsInLess(
      String key, String value, boolean fixed) {
    assertThat(new ClusterSettings(Map.of(key, value)).hasFixedSlots()).isEqualTo(fixed);
    assertThat(new ClusterSettings(Map.of()).hasFixedSlots()).isTrue();
  }

  @Test
  void aJobsOptionPlacesCheckpointsAsTheClustersDoes() {
    ClusterSettings none = new ClusterSettings(Map.of("execution.checkpointing.dir", " "));

    assertThat(none.placesCheckpoints(Map.of())).isFalse();
    assertThat(none.placesCheckpoints(Map.of("execution.checkpointing.dir", "s3://b"))).isTrue();
    assertThat(
            new ClusterSettings(Map.of("state.checkpoints.dir", "s3://b"))
                .placesCheckpoints(Map.of()))
        .isTrue();
  }
}
