package io.sluice.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.loop.TestingService;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps of a real service, with trainers in processes of their own. */
class SweepIT {
  @TempDir private static Path directory;

  private static TestingService service;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    service = new TestingService(directory.resolve("service"));
    new DatasetCatalog(service.kafka).publish(service.dataset);
    service.ingest("large", 400, true);
    service.ingest("medium", 300, true);
    service.ingest("small", 100, true);
    sluice = new TestingSluice(service.kafka, directory.resolve("home"));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void armsBeginWithOneWarmCheckpointAndWhatHasEndedIsNotRunAgain() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("sweep.yaml"),
            """
            sweep: warm-eta
            run:
              dataset: %s
              batch: 16 sequences
              batches: 20
              initial-weights: uniform
              policy: {velocitune: {every: 4, target-fraction: 0.6, eta: 1}}
              when-ended: {default: {repeat: 1000}}
            arms:
              still: {policy: static}
              balanced: {policy: {r-and-b: {every: 4}}}
              grouped: {policy: {grape: {every: 4, target: [medium, small]}}}
              noisy: {policy: {pike: {every: 4}}}
            vary: {policy.velocitune.eta: [1, 5]}
            seeds: 1
            warm: 4 batches
            trainer: {options: {layers: 1, width: 16, heads: 2}}
            """
                .formatted(service.dataset.getName()));
    Path out = directory.resolve("out");
    Path json = directory.resolve("sweep.json");
    String[] command = {
      "sweep",
      "-f",
      file.toString(),
      "--out",
      out.toString(),
      "--workers",
      "2",
      "--json",
      json.toString(),
      "--svg",
      directory.resolve("sweep.svg").toString()
    };
    TestingSluice.Said said = sluice.run(command);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("| still ", "eta = 5");
    assertThat(said.err()).contains("6 of 6, about 0 min left: ");
    for (String arm : new String[] {"still", "balanced", "grouped", "noisy", "1", "2"}) {
      assertThat(Files.readString(out.resolve("warm-eta-" + arm + "-1.log")))
          .contains("trained steps 5 to 20");
      assertThat(sluice.run("audit", "--run", "warm-eta-" + arm + "-1").exit()).isZero();
    }
    assertThat(RunHistory.read(service.kafka, "warm-eta-2-1").spec().getPolicySettings())
        .containsEntry("eta", "5");

    for (String moved : new String[] {"balanced", "grouped", "noisy"}) {
      assertThat(RunHistory.read(service.kafka, "warm-eta-" + moved + "-1").rounds()).isNotEmpty();
    }

    JsonNode arms = new ObjectMapper().readTree(json.toFile()).path("arms");
    assertThat(arms).hasSize(6);
    JsonNode run = arms.path(0).path("runs").path(0);
    assertThat(run.path("losses")).hasSize(3);
    double weights = 0;
    for (JsonNode weight : run.path("weights")) {
      weights += weight.asDouble();
    }
    assertThat(weights).isCloseTo(1, within(1e-9));
    assertThat(Files.readString(directory.resolve("sweep.svg"))).contains("all domains");

    Path changed = directory.resolve("changed.yaml");
    Files.writeString(changed, Files.readString(file).replace("[1, 5]", "[2, 5]"));
    TestingSluice.Said refused =
        sluice.run("sweep", "-f", changed.toString(), "--out", out.toString());
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err())
        .contains("has what came of run 'warm-eta-1-1' with other settings than the file has now");

    Path wrong = directory.resolve("wrong.yaml");
    Files.writeString(wrong, Files.readString(file).replace("[1, 5]", "[1, -5]"));
    String elsewhere = directory.resolve("elsewhere").toString();
    assertThat(sluice.run("sweep", "-f", wrong.toString(), "--out", elsewhere).err())
        .contains(wrong + ", arm 2: ", "policy.velocitune.eta", "-5");

    long trained = Files.size(out.resolve("warm-eta-1-1.log"));
    TestingSluice.Said again = sluice.run(command);
    assertThat(again.exit()).isZero();
    assertThat(again.err()).isEmpty();
    assertThat(again.out()).isEqualTo(said.out());
    assertThat(Files.size(out.resolve("warm-eta-1-1.log"))).isEqualTo(trained);
  }

  @Test
  void aTrainerThatFailsFailsItsArmAlone() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("failing.yaml"),
            """
            sweep: failing
            run:
              dataset: %s
              batch: 8 sequences
              batches: 4
              initial-weights: uniform
              policy: static
            vary: {seed-of-nothing: [1]}
            seeds: 1
            """
                .formatted(service.dataset.getName()));
    assertThat(sluice.run("sweep", "-f", file.toString()).err())
        .contains("unknown key 'seed-of-nothing'");
    Files.writeString(
        file,
        Files.readString(file).replace("seed-of-nothing: [1]", "eval-tokens: [64, 128]")
            + "trainer: {command: [sh, -c, 'echo no GPU; exit 7']}\n");
    TestingSluice.Said said =
        sluice.run("sweep", "-f", file.toString(), "--out", directory.resolve("f").toString());
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.out())
        .contains("failed: failing-1-1: its trainer ended with 7: no GPU")
        .contains("failed: failing-2-1: its trainer ended with 7: no GPU");
    assertThat(said.err()).contains("2 runs of the sweep failed");

    Files.writeString(file, Files.readString(file).replace("[sh, -c", "[no-such-program, -c"));
    said = sluice.run("sweep", "-f", file.toString(), "--out", directory.resolve("f").toString());
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.out())
        .contains("failing-1-1: its trainer cannot be started: ", "no-such-program");
  }
}
