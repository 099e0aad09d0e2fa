package io.sluice.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.lab.chaos.fault.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosSettingsTest {
  @TempDir Path directory;

  @Test
  void everyKeyIsTakenAndHasARange() {
    FaultKind kind = FaultKind.OLD_PROPOSALS;
    assertThat(of(2, kind))
        .hasToString(
            "ChaosSettings[seed=1, faults=2, kinds=["
                + kind
                + "], stateDirectory="
                + directory.toAbsolutePath().normalize()
                + ", brokers=1, taskManagers=3, deliveryTimeout=PT4S, pace=PT5S, aged=6, python=Optional.empty]");
    assertThatThrownBy(() -> of(1, FaultKind.CHANGE_OF_LEADER))
        .hasMessage("--kinds must be such that --brokers 1 can suffer: change-of-leader");
    assertThatThrownBy(() -> of(1, kind, -1)).hasMessage("--aged must be from 0 to 1000000: -1");
    assertThatThrownBy(() -> of(0, kind)).hasMessage("--faults must be at least 1: 0");
  }

  private ChaosSettings of(int faults, FaultKind kind) {
    return of(faults, kind, 6);
  }

  private ChaosSettings of(int faults, FaultKind kind, long aged) {
    return new ChaosSettings(
        1,
        faults,
        Set.of(kind),
        directory,
        1,
        3,
        Duration.ofSeconds(4),
        Duration.ofSeconds(5),
        aged,
        Optional.empty());
  }
}
