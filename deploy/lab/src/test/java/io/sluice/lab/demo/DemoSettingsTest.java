package io.sluice.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DemoSettingsTest {
  @Test
  void everyKeyIsTakenAndHasARange() {
    assertThat(of(9093, 4, 5, 16, 7, 8))
        .hasToString(
            "DemoSettings[project=project, stateDirectory=state, port=9093,"
                + " corpus=Optional[corpus], policy=dga, steps=4, batchSize=5, sequenceLength=16,"
                + " updateEvery=7, lag=8, policySettings={eta=1}, targetDomains=[code],"
                + " newWeight=0.5, seed=9, replay=Optional[out.json]]");
    assertThatThrownBy(() -> of(-1, 4, 5, 16, 7, 8)).hasMessageStartingWith("--port must be in");
    assertThatThrownBy(() -> of(0, 0, 5, 16, 7, 8)).hasMessageStartingWith("--steps must be in");
    assertThatThrownBy(() -> of(0, 4, 0, 16, 7, 8)).hasMessageStartingWith("--batch must be in");
    assertThatThrownBy(() -> of(0, 4, 5, 7, 7, 8))
        .hasMessageStartingWith("--sequence-length must be in");
    assertThatThrownBy(() -> of(0, 4, 5, 16, 0, 8)).hasMessageStartingWith("--every must be in");
    assertThatThrownBy(() -> of(0, 4, 5, 16, 7, -1)).hasMessageStartingWith("--lag must be in");
  }

  private static DemoSettings of(int port, int steps, int batch, int length, int every, int lag) {
    return new DemoSettings(
        Path.of("project"),
        Path.of("state"),
        port,
        Optional.of(Path.of("corpus")),
        "dga",
        steps,
        batch,
        length,
        every,
        lag,
        Map.of("eta", "1"),
        List.of("code"),
        0.5,
        9,
        Optional.of(Path.of("out.json")));
  }
}
