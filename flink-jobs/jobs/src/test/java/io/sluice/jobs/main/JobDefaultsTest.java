package io.sluice.jobs.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobDefaultsTest {
  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final String DIRECTORY = "execution.checkpointing.dir";

  @Test
  void theClusterSaysWhatItWantsAndTheJobTheRest() {
    Configuration cluster =
        Configuration.fromMap(
            Map.of("execution.checkpointing.interval", "5 min", "state.backend", "hashmap"));

    Configuration added = JobDefaults.besides(cluster, INTERVAL);

    assertThat(added.toMap())
        .doesNotContainKeys("execution.checkpointing.interval", "state.backend.type")
        .containsEntry("restart-strategy.type", "exponential-delay")
        .containsEntry("execution.checkpointing.storage", "filesystem");
    assertThat(JobDefaults.besides(new Configuration(), INTERVAL))
        .isEqualTo(JobDefaults.of(INTERVAL));
  }

  @Test
  void everyDefaultCanBeOverridden() {
    assertThat(JobDefaults.OPTIONS.stream().map(ConfigOption::key))
        .containsExactlyInAnyOrderElementsOf(JobDefaults.of(INTERVAL).keySet());
  }

  @ParameterizedTest
  @CsvSource({
    "file:///shared/sluice",
    "s3://bucket/sluice",
  })
  void aDirectoryThatAllReachWillDo(String directory) {
    assertThatCode(
            () -> JobDefaults.requireDurable(Configuration.fromMap(Map.of(DIRECTORY, directory))))
        .doesNotThrowAnyException();
    assertThatCode(
            () ->
                JobDefaults.requireDurable(
                    Configuration.fromMap(Map.of("state.checkpoints.dir", directory))))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "'', '', execution.checkpointing.dir must be a directory that every process",
    "execution.checkpointing.dir, /shared, execution.checkpointing.dir must be a URI with its scheme",
    "execution.checkpointing.dir, 's3 ://x', execution.checkpointing.dir must be a URI",
    "execution.checkpointing.storage, jobmanager, execution.checkpointing.storage must be filesystem",
    "execution.checkpointing.interval, 0 ms, execution.checkpointing.interval must be at least 1 ms",
  })
  void withoutOneTheJobDoesNotStart(String key, String value, String said) {
    Configuration cluster = new Configuration();
    if (!key.isEmpty()) {
      cluster.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, "file:///shared/sluice");
      cluster.setString(key, value);
    }

    assertThatExceptionOfType(JobRefusedException.class)
        .isThrownBy(() -> JobDefaults.requireDurable(cluster))
        .withMessageStartingWith(said);
  }
}
