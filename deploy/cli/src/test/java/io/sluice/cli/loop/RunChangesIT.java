package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.SecretWatch;
import io.sluice.cli.TestingSluice;
import io.sluice.client.error.RewoundException;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.service.Patience;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person can do to a run while it trains, each logged and held by the audit. */
class RunChangesIT {
  @TempDir private static Path directory;

  private static TestingService service;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    new DatasetCatalog(service.kafka).publish(service.dataset);
    service.ingest("large", 2000, true);
    service.ingest("medium", 2000, true);
    service.ingest("small", 600, true);
    sluice = new TestingSluice(service.kafka, directory);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void setsAndPinsWeightsRewindsAndForks() {
    RunInfo run = service.start(service.velocitune("hand", 0));
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(20);
      assertThat(sluice.does("run", "weights", "hand", "--set", "large=0.5", "--pin"))
          .contains("run hand: weights large=0.500000", "pinned, from batch ");
      long from = history("hand").state().position().granted() + 1;
      trainer.train(from);
      assertThat(trainer.sequences(from).get("large")).isBetween(7, 9);
      assertThat(sluice.does("run", "rewind", "hand", "--to-batch", "14"))
          .contains("run hand: rewound to batch 14, from batch 15 (timeline 1,");
      assertThatThrownBy(() -> trainer.train(60)).isInstanceOf(RewoundException.class);
      trainer.resume(10);
      trainer.train(24);
      assertThat(trainer.batch(14).timeline()).isZero();
      assertThat(trainer.batch(15).timeline()).isEqualTo(1);
      assertThat(sluice.does("run", "rewind", "hand", "--to-batch", "18", "--skip", "18..22"))
          .contains("rewound to batch 18", "timeline 2");
      service.mix().cancel();
      service.submitMix(Optional.empty());
      trainer.resume(18);
      trainer.train(30);
      sluice.does("run", "fork", "hand", "--at-batch", "18", "--as", "branch");
      RunInfo branch = RunDirectory.find(service.kafka, "branch", Patience.MINUTE);
      try (SteeredTrainer other = trainer.forked(branch, 18)) {
        other.train(30);
        assertThat(other.batch(19).firstIndex()).isEqualTo(trainer.batch(19).firstIndex());
      }
      assertThat(warningsOf(branch))
          .singleElement(as(STRING))
          .contains("goes on from batch 18 of run " + run.runId(), "trains from batch 19 on;");

      assertThat(warningsOf(run))
          .singleElement(as(STRING))
          .contains("was trained on up to batch 30, and this trainer begins at batch 1:");
    }
    assertThat(sluice.does("run", "show", "hand"))
        .contains(
            "timelines: 0 from batch 1, 1 from batch 15, 2 from batch 19",
            "oldest checkpoint: batch 25",
            "age: the blocks of batch 30 were packed ");
    Path report = directory.resolve("branch.json");
    assertThat(sluice.does("run", "show", "branch", "--json", report.toString()))
        .contains("forked from " + run.runId());
    assertThat(report).content().containsPattern("\"batch\" : 30,\\s+\"meanMillis\" : [1-9]");
    assertThat(plotted("hand"))
        .as("of three timelines what stands")
        .contains("of 3 domains up to batch ", "losses at 4 steps: ");
    assertAudited("hand", 3);
    assertAudited("branch", 1);
  }

  /** What a trainer is told that opens a run's stream without a state. */
  private static List<String> warningsOf(RunInfo run) {
    try (SecretWatch log = new SecretWatch("its checkpoint")) {
      Loader.open(service.kafka, run, StreamOptions.defaults()).close();
      return log.told();
    }
  }

  @Test
  void changesPolicyDomainsAndDrains() throws Exception {
    RunInfo run = startOf(List.of("large", "medium"), "changing");
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(10);
      assertThat(sluice.does("run", "domain", "changing", "--add", "small=0.25"))
          .contains("small=0.25");
      long added = history("changing").state().position().granted();
      trainer.train(added + 5);
      assertThat(trainer.sequences(added + 1)).containsKey("small");
      assertThat(sluice.does("run", "domain", "changing", "--remove", "medium"))
          .contains("medium=0.0");
      JsonNode drain = sluice.json("run", "drain", "changing", "--ahead", "12", "--json", "-");
      assertThat(drain.path("run").asText()).isEqualTo("changing");
      assertThat(drain.path("change").asText()).startsWith("drains to batch ");
      assertThat(drain.path("from-batch").asLong()).isGreaterThan(added);
      long drained = history("changing").state().position().granted();
      trainer.train(drained);
      assertThat(trainer.sequences(drained)).doesNotContainKey("medium");
      String set = "target-fraction=0.6";
      Matcher switched =
          Pattern.compile("from batch (\\d+) .*\\Rits first round decides from batch (\\d+) on\\R")
              .matcher(
                  sluice.does("run", "policy", "changing", "--name", "velocitune", "--set", set));
      assertThat(switched.find()).isTrue();
      long last = Long.parseLong(switched.group(1)) - 1;
      assertThat(Long.parseLong(switched.group(2))).isEqualTo((last / 10 + 2) * 10 + 1);
      assertThat(sluice.does("run", "policy", "changing", "--name", "static"))
          .contains("policy static");
      trainer.train(drained + 5);
    }
    Path file = directory.resolve("changing.yaml");
    sluice.does("run", "export", "changing", "-o", file.toString());
    assertThat(Files.readString(file)).contains("policy: \"static\"", "run: \"changing\"");
    assertAudited("changing", 1);
    assertThat(sluice.does("run", "stop", "changing")).contains("is stopped");
    assertThat(fails("run", "weights", "changing", "--pin"))
        .contains("has ended, it is stopped: go on from one of its batches with 'sluice run fork'");
  }

  @Test
  void splitsADomainAndMergesOthersWhileTheRunGoesOn() {
    RunInfo run = startOf(List.of("large", "medium"), "regrouped");
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(12);
      assertThat(fails("run", "regroup", "regrouped", "--from", "web", "--into", "small"))
          .contains("must name domains of the run, [large, medium]: 'web'");
      assertThat(fails("run", "regroup", "regrouped", "--from", "large", "--into", "law"))
          .contains("--into must name domains of the dataset, [large, medium, small]: 'law'");
      assertThat(
              fails(
                  "run",
                  "regroup",
                  "regrouped",
                  "--from=large",
                  "--into=small,medium",
                  "--share=small=0.5,medium=0.4"))
          .contains("--share must sum to 1 over --into: 0.9");

      Weights before = history("regrouped").state().decided();
      assertThat(
              sluice.does(
                  "run", "regroup", "regrouped", "--from", "large", "--into", "small,medium"))
          .contains("large into small at 0.", "large=0.000000");
      RunState split = history("regrouped").state();
      assertThat(split.decided().part(0)).isZero();
      assertThat(split.decided().part(1)).isGreaterThan(before.part(1));
      assertThat(split.decided().part(2)).isPositive();
      long after = split.position().granted();
      trainer.train(after + 4);
      assertThat(trainer.sequences(after + 1)).containsOnlyKeys("medium", "small");

      long medium = history("regrouped").state().decided().part(1);
      long small = history("regrouped").state().decided().part(2);
      sluice.does("run", "regroup", "regrouped", "--from", "small", "--into", "medium");
      RunState merged = history("regrouped").state();
      assertThat(merged.decided().parts()).containsExactly(0, medium + small, 0);
      trainer.train(merged.position().granted() + 4);
      assertThat(trainer.sequences(merged.position().granted() + 1)).containsOnlyKeys("medium");
    }
    assertThat(plotted("regrouped")).contains(" of 3 domains up to batch ");
    assertThat(directory.resolve("regrouped.svg"))
        .content()
        .contains(">large<", ">medium<", ">small<", "regrouped: weights", "regrouped: losses");
    assertAudited("regrouped", 1);
    sluice.does("run", "stop", "regrouped");
  }

  @Test
  void cutsRowsFromABatchOnAndARewindTakesThatBack() throws Exception {
    RunInfo run = startOf(service.velocitune("staged", 0));
    int half = run.spec().getSequenceLength() / 2;
    Path file = directory.resolve("staged.yaml");
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(12);
      int size = trainer.batch(12).size();
      sluice.does("run", "export", "staged", "-o", file.toString());
      String before = Files.readString(file);
      long granted = history("staged").state().position().granted();
      long stage = granted + 2;
      Files.writeString(
          file, before + "sequence-length: [{from: " + stage + ", length: " + half + "}]\n");
      String rows = 2 * size + " of " + half + " tokens from batch " + stage + " on";
      assertThat(sluice.does("run", "policy", "staged", "-f", file.toString())).contains(rows);
      trainer.train(stage + 2);
      assertThat(trainer.batch(stage - 1).sequences()).hasSize(size);
      assertThat(trainer.batch(stage).sequences()).hasSize(2 * size);
      assertThat(trainer.batch(stage).size()).isEqualTo(size);
      byte[] tokens = bytes(trainer.batch(stage + 2));
      trainer.resume(stage);
      trainer.train(stage + 2);
      assertThat(bytes(trainer.batch(stage + 2))).isEqualTo(tokens);
      assertThat(sluice.does("run", "show", "staged")).contains(rows);
      Files.writeString(file, before + "sequence-length: " + half / 2 + "\n");
      assertThat(fails("run", "policy", "staged", "-f", file.toString()))
          .contains("sequence-length must stay {" + stage + "=" + half + "} up to batch ");
      sluice.does("run", "rewind", "staged", "--to-batch", "" + (granted - 1));
      trainer.resume(granted - 1);
      trainer.train(stage + 1);
      assertThat(trainer.batch(stage + 1).sequences()).hasSize(size);
    }
    assertAudited("staged", 2);
  }

  private static byte[] bytes(GlobalBatch batch) {
    ByteBuffer tokens = ByteBuffer.allocate(batch.tokenBytes());
    batch.writeTokens(tokens);
    return tokens.array();
  }

  @Test
  void reclaimsWhatNoCheckpointNeeds() {
    RunSpec spec =
        RunSpec.newBuilder(service.velocitune("lean", 0)).setReclaim("checkpoint").build();
    RunInfo run = startOf(spec);
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(40);
      Patience.await(
          Duration.ofMinutes(1), RunChangesIT::firstOffsets, offsets -> offsets >= 16 * 10);
      service.mix().cancel();
      service.submitMix(Optional.empty());
      trainer.resume(35);
      trainer.train(45);
    }
    assertThat(firstOffsets()).isLessThanOrEqualTo(16 * 40);
    assertAudited("lean", 1);
    assertThat(Auditor.audit(service.kafka, "lean").duplicates())
        .as("written again by a job without state")
        .isZero();
  }

  /** Records of the stream that are gone. */
  private static long firstOffsets() {
    try (Admin admin = Admin.create(service.kafka.with(Map.of()))) {
      Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
      for (int partition = 0; partition < 4; partition++) {
        asked.put(
            new TopicPartition(service.kafka.topics().stream("lean"), partition),
            OffsetSpec.earliest());
      }
      return admin.listOffsets(asked).all().get().values().stream()
          .mapToLong(first -> first.offset())
          .sum();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void refusesAPolicyThatNoTrainerMeasuresFor() {
    RunInfo run = service.start(service.velocitune("unmeasured", 0));
    StreamOptions measuring = StreamOptions.defaults().withMetrics(Set.of(Measurement.EVAL_LOSS));
    try (Loader trainer = Loader.open(service.kafka, run, measuring)) {
      Patience.await(
          Duration.ofMinutes(1),
          () -> sluice.does("run", "show", "unmeasured"),
          shown -> shown.contains("measures [eval_loss]"));
      assertThat(fails("run", "policy", "unmeasured", "--name", "dga"))
          .contains("refused: policy dga needs [alignment], and rank 0 of 1 on ")
          .contains(" does not measure [alignment]: attach trainers that do, then ask again");
      trainer.requireHeld();
    }
    assertThat(history("unmeasured").spec().getPolicy()).isEqualTo("velocitune");
    try (Loader silent =
        Loader.open(service.kafka, run, StreamOptions.defaults().withMetrics(Set.of()))) {
      Patience.await(
          Duration.ofMinutes(1),
          () -> sluice.does("run", "show", "unmeasured"),
          shown -> shown.contains("measures []"));
      TestingSluice.Said said = sluice.run("run", "policy", "unmeasured", "--name", "dga");
      assertThat(said.exit()).isZero();
      assertThat(said.err())
          .startsWith("sluice: policy dga needs [alignment], and rank 0 of 1 on ")
          .endsWith(
              " has not said what it measures: until that is reported, its rounds wait"
                  + System.lineSeparator());
      silent.requireHeld();
    }
    sluice.does("run", "delete", "unmeasured");
  }

  @Test
  void refusesWhatCannotBeDoneAndSaysWhy() {
    service.start(service.velocitune("refusing", 0));
    assertThat(fails("run", "weights", "refusing", "--set", "nope=0.1"))
        .contains("refused: weights must be of domains of [large, medium, small]: 'nope'");
    assertThat(fails("run", "weights", "refusing"))
        .contains("give at least one of --set DOMAIN=SHARE, --pin and --unpin");
    assertThat(fails("run", "rewind", "refusing", "--to-batch", "9999"))
        .contains("--to-batch, --skip: batch must be in [0, 10]: 9999");
    assertThat(fails("run", "rewind", "refusing", "--to-batch", "4", "--skip", "3..5"))
        .contains("--skip must be 4..C with C at least 4: '3..5'");
    assertThat(fails("run", "fork", "refusing", "--at-batch", "99", "--as", "future"))
        .contains("fork of refusing: batch must be in [0, 10]: 99");
    assertThat(fails("run", "fork", "refusing", "--at-batch", "4", "--as", "a/b"))
        .contains("--as must be 1 to 63 letters");
    assertThat(fails("run", "fork", "refusing", "--at-batch", "4", "--as", "refusing"))
        .contains("--as must be a new name: run 'refusing' exists");
    assertThat(fails("run", "drain", "refusing", "--ahead", "0"))
        .contains("refused: ahead must be in [1, 1048576] batches: 0");
    assertThat(fails("run", "domain", "refusing", "--add", "web=0.1"))
        .contains("--add must name domains of the dataset, [large, medium, small]: 'web'");
    assertThat(fails("run", "policy", "refusing", "--name", "nope")).contains("policy must be one");
    assertThat(sluice.does("run", "delete", "refusing")).contains("is deleted");
  }

  private static RunInfo startOf(List<String> domains, String name) {
    DatasetSpec data = DatasetSpec.newBuilder(service.dataset).setDomains(domains).build();
    return startOf(Testbed.velocitune(data, name, 0));
  }

  private static RunInfo startOf(RunSpec spec) {
    try (TopicAdmin admin = new TopicAdmin(service.kafka)) {
      service.commands().apply(admin, spec, null);
    }
    return RunDirectory.find(service.kafka, spec.getRun(), Patience.MINUTE);
  }

  private static void assertAudited(String run, int timelines) {
    AuditReport audit = Auditor.audit(service.kafka, run);
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.timelines()).isEqualTo(timelines);
    assertThat(audit.sequences()).isPositive();
  }

  private static String plotted(String run) {
    return sluice.does("run", "plot", run, "--svg", directory.resolve(run + ".svg").toString());
  }

  private static RunHistory history(String run) {
    return RunHistory.read(service.kafka, run);
  }

  private static String fails(String... command) {
    TestingSluice.Said said = sluice.run(command);
    assertThat(said.exit()).as(said.out()).isEqualTo(2);
    return said.err();
  }
}
