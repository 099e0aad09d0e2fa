package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.control.history.RunHistory;
import io.sluice.mixture.policy.Policies;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A policy and a metric of somebody else's jar, under both trainers. The service, the command that
 * applies a run and the reference trainer have the jar; this process, which reads the log, has not.
 */
class PluginIT {
  @TempDir private static Path directory;

  private static Path plugins;
  private static UpProcess up;
  private static Testbed bed;

  @BeforeAll
  static void start() throws IOException {
    plugins = PluginJar.build(directory);
    up = UpProcess.alone(directory, plugins, "--port", "0");
    bed = new Testbed(KafkaAccess.local(up.bootstrapServers()));
    ApplyDataset.apply(bed.kafka, bed.dataset);
    bed.fill();
  }

  @AfterAll
  static void stop() {
    if (up != null) {
      up.close();
    }
  }

  @Test
  void theReferenceTrainerMeasuresItWithTheJarsMeter() throws Exception {
    apply("tail");
    assertThat(sluice("trainer", "--run", "tail", "--layers", "1", "--width", "16", "--heads", "2"))
        .contains("step 0: max_loss large ", "step 4: max_loss large ", "step 8: max_loss large ")
        .contains("done: trained steps 1 to 9");
    assertReadWithoutTheJar("tail");
  }

  @Test
  void thePythonTrainerMeasuresItWithAFunctionOfItsName() throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    apply("tail-python");
    JsonNode result =
        new ObjectMapper()
            .readTree(
                TestingPython.live(
                    "measured.py",
                    List.of("--bootstrap", up.bootstrapServers(), "--run", "tail-python")));
    assertThat(result.get("measured").get("max_loss")).hasToString("[0,4,8]");
    JsonNode last = result.get("weights").get(8);
    assertThat(last.get(0).asDouble()).isGreaterThan(last.get(2).asDouble());
    assertReadWithoutTheJar("tail-python");
  }

  private static void apply(String run) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve(run + ".yaml"),
            """
            run: %s
            dataset: data
            batch: 16 sequences
            batches: 9
            seed: 42
            initial-weights: uniform
            policy: {tail-loss: {every: 4, power: 2}}
            """
                .formatted(run));
    assertThat(sluice("run", "apply", "-f", file.toString())).contains("has started as " + run);
  }

  private static void assertReadWithoutTheJar(String run) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Policies.create("tail-loss", Map.of(), bed.dataset.getDomains()));
    assertThat(RunHistory.read(bed.kafka, run).rounds()).hasSize(2);
    TestingSluice here = new TestingSluice(bed.kafka, directory);
    assertThat(here.run("run", "list").out()).contains(run, "completed");
    assertThat(here.run("run", "show", run).out()).contains("tail-loss");
    TestingSluice.Said audit = here.run("audit", "--run", run);
    assertThat(audit.exit()).as(audit.toString()).isZero();
  }

  /** What a command says whose process has the jar. */
  private static String sluice(String... arguments) throws Exception {
    Path said = Files.createTempFile(directory, "said", ".txt");
    Process process =
        UpProcess.sluice(directory, plugins, List.of(arguments))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      Duration longest = Patience.of(Duration.ofMinutes(5));
      assertThat(process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS))
          .as(UpProcess.read(said))
          .isTrue();
      assertThat(process.exitValue()).as(UpProcess.read(said)).isZero();
    } finally {
      process.destroyForcibly();
    }
    return UpProcess.read(said);
  }
}
