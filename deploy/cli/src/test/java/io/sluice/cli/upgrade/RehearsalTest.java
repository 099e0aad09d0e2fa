package io.sluice.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.cli.upgrade.FlinkCluster.Listed;
import io.sluice.control.error.CheckFailedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a job to come needs is asked for as it will be run. */
class RehearsalTest {
  private static final String CONFIG = "GET /jobmanager/config";

  private TestingFlink flink;

  @BeforeEach
  void start() throws IOException {
    flink = new TestingFlink();
  }

  @AfterEach
  void stop() {
    flink.close();
  }

  private void rehearse(PlannedMove... moves) {
    new Rehearsal(flink.cluster(), "7_x.jar", Map.of("a.b", "c"), Duration.ofSeconds(30))
        .of(List.of(moves));
  }

  private static PlannedMove move(int before, int after) {
    List<String> arguments = List.of("mix", "--kafka", "k:1");
    return new PlannedMove(
        new Listed(TestingFlink.MIX, "sluice mix", "RUNNING"),
        Optional.of("0.1.0"),
        arguments,
        arguments,
        before,
        after,
        "file:///s");
  }

  @Test
  void flinkPlansWhatWillBeRun() {
    flink.says(CONFIG, "[]").says("GET /overview", TestingFlink.slots(4, 1)).plans(4);

    rehearse(move(3, 4));

    assertThat(flink.bodies)
        .containsExactly(
            "{\"programArgsList\":[\"mix\",\"--kafka\",\"k:1\"],\"parallelism\":4,\"flinkConfiguration\":{\"a.b\":\"c\"}}");
  }

  @Test
  void jobsThatFollowHaveTheSlotsThatAreLeft() {
    flink.says(CONFIG, "[]").says("GET /overview", TestingFlink.slots(6, 1)).plans(3);
    PlannedMove one = move(2, 3);

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> rehearse(one, one))
        .withMessageContaining("2 are there for it: 2 that it holds and 0 that are free, of 6");
  }

  @Test
  void slotsThatFlinkMakesAreNotCounted() {
    flink
        .says(CONFIG, "[{\"key\": \"execution.target\", \"value\": \"kubernetes-session\"}]")
        .says("GET /overview", TestingFlink.slots(0, 0))
        .plans(50);

    rehearse(move(2, 50));

    assertThat(flink.asked).contains("POST /jars/7_x.jar/plan");
  }
}
