package io.sluice.jobs.main;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkVersionTest {
  @ParameterizedTest
  @ValueSource(strings = {"2.2.0", "2.2.1", "2.2-SNAPSHOT", "2.10.0", "<unknown>", ""})
  void takesThisReleaseAndLaterOnes(String version) {
    assertThatCode(() -> FlinkVersion.require(version)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.20.1", "2.1.0", "3.0.0"})
  void refusesOthersByTheirVersion(String version) {
    assertThatThrownBy(() -> FlinkVersion.require(version))
        .isInstanceOf(JobRefusedException.class)
        .hasMessage("Flink must be 2.2 or a later 2: this is " + version);
  }

  @Test
  void theBuildsOwnIsTaken() {
    assertThatCode(() -> FlinkVersion.require(EnvironmentInformation.getVersion()))
        .doesNotThrowAnyException();
  }
}
