package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.feedback.StandingRounds;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of a run's feedback afterwards, on a real broker. */
class WhatIfIT {
  @TempDir private static Path directory;

  private static TestingService service;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    service = new TestingService(directory);
    new DatasetCatalog(service.kafka).publish(service.dataset);
    service.ingest("large", 2000, true);
    service.ingest("medium", 2000, true);
    service.ingest("small", 2000, true);
    sluice = new TestingSluice(service.kafka, directory);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void decidesOfTheRunsFeedbackWhatItsLogSays() throws Exception {
    RunInfo run =
        service.start(
            RunSpec.newBuilder(service.velocitune("asked", 0))
                .setSmoothing(Map.of("new-weight", "0.5", "floor", "0.03"))
                .build());
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(45);
      assertDecidesAsLogged("asked", 10, 40);
      sluice.does("run", "rewind", "asked", "--to-batch", "24");
      trainer.measuresMore(0.7);
      trainer.resume(24);
      trainer.train(62);
      assertDecidesAsLogged("asked", 10, 60);

      assertThat(fails("whatif", "--run", "asked", "--policy", "dga"))
          .contains(
              "policy dga needs alignment, which the trainers of run 'asked' did not send at the"
                  + " steps of its rounds, every 10: they sent [eval_loss]");
      align(run);
      Path csv = directory.resolve("asked.csv");
      Path svg = directory.resolve("asked.svg");
      assertThat(
              sluice.does(
                  "whatif",
                  "--run=asked",
                  "--policy=dga,velocitune:eta=0.5:smoothing.new-weight=1",
                  "--csv=" + csv,
                  "--svg=" + svg))
          .contains("run asked: 6 rounds after step 0, every 10, open loop")
          .contains("not what would have come of that")
          .contains("The trainers sent alignment, eval_loss.")
          .containsPattern("\\| run +\\| 6 of 6 \\|")
          .containsPattern("\\| static +\\| 0 of 0 \\|")
          .containsPattern("\\| dga +\\| 6 of 6 \\|");
      assertThat(csv).content().contains("policy,batch,domain,weight,loss\nrun,0,large,");
      assertThat(svg).content().contains(">dga: weights<");

      sluice.does("run", "weights", "asked", "--set", "large=0.5");
      trainer.train(85);
      assertThat(StandingRounds.read(service.kafka, "asked").begin().batch()).isGreaterThan(60);
      assertDecidesAsLogged("asked", 70, 80);
    }
  }

  @Test
  void comparesRunsAndHasOneRepeatTheOther() throws Exception {
    RunInfo run = service.start(service.velocitune("moved", 0));
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, run)) {
      trainer.train(41);
    }
    sluice.does("run", "stop", "moved");
    assertThat(fails("run", "export", "moved", "--steps", "9"))
        .contains("--steps and --average must come with --as-recorded");
    Path section = directory.resolve("recorded.yaml");
    sluice.does("run", "export", "moved", "--as-recorded", "-o", section.toString());
    assertThat(section).content().contains("recorded:", "every: ", "at:");

    Path file = directory.resolve("again.yaml");
    Files.writeString(
        file,
        "run: again\ndataset: "
            + service.dataset.getName()
            + "\nbatch: 16 sequences\nseed: 7\ninitial-weights: uniform\n"
            + Files.readString(section));
    sluice.does("run", "apply", "-f", file.toString());
    RunInfo again = RunDirectory.find(service.kafka, "again", Patience.MINUTE);
    try (SteeredTrainer trainer = new SteeredTrainer(service.kafka, again)) {
      trainer.measuresMore(0.25);
      trainer.train(41);
    }
    SortedMap<Long, StandingRounds.Decided> first = rounds("moved");
    SortedMap<Long, StandingRounds.Decided> second = rounds("again");
    first.forEach(
        (step, decided) ->
            assertThat(second.get(step).weights())
                .as("step %d", step)
                .isEqualTo(decided.weights()));

    Path json = directory.resolve("compared.json");
    Path svg = directory.resolve("compared.svg");
    assertThat(sluice.does("run", "compare", "moved", "again", "--json=" + json, "--svg=" + svg))
        .contains("Their losses are not comparable:", "  other seeds: 42 and 7")
        .contains("They differ in:", "  policy: velocitune -> recorded")
        .contains("At step 40, the last that both measured, again's losses are +0.2500 nats");
    JsonNode compared = new ObjectMapper().readTree(json.toFile());
    assertThat(compared.path("comparable").asBoolean()).isFalse();
    assertThat(compared.path("steps").findValuesAsText("step"))
        .containsExactly("0", "10", "20", "30", "40");
    assertThat(compared.path("tokens").path("large").path(0).asLong()).isPositive();
    assertThat(svg).content().contains(">moved: weights<", ">again: losses<");
    assertThat(sluice.does("run", "compare", "moved", "moved"))
        .contains("They have the same specification.")
        .doesNotContain("not comparable");
  }

  /** The run's own policy, as it is and as a candidate. */
  private static void assertDecidesAsLogged(String run, long first, long last) throws IOException {
    SortedMap<Long, StandingRounds.Decided> logged = rounds(run);
    assertThat(logged.firstKey()).isEqualTo(first);
    assertThat(logged).containsKey(last);
    JsonNode report = sluice.json("whatif", "--run", run, "--policy", "velocitune", "--json", "-");
    assertThat(report.path("own").path("rounds").asInt()).isEqualTo(logged.size());
    assertThat(report.path("own").path("same").asInt()).isEqualTo(logged.size());
    if (first > 10) {
      return;
    }
    Map<String, List<List<Double>>> decided = new HashMap<>();
    for (JsonNode policy : report.path("policies")) {
      List<List<Double>> rounds = new ArrayList<>();
      policy.path("rounds").forEach(round -> rounds.add(doubles(round.path("weights"))));
      decided.put(policy.path("policy").asText(), rounds);
    }
    assertThat(decided.get("velocitune"))
        .isEqualTo(decided.get("run"))
        .isEqualTo(
            logged.values().stream()
                .map(StandingRounds.Decided::weights)
                .map(WhatIfIT::shares)
                .collect(Collectors.toList()));
  }

  private static List<Double> shares(Weights weights) {
    List<Double> shares = new ArrayList<>();
    for (double share : weights.shares()) {
      shares.add(share);
    }
    return shares;
  }

  private static List<Double> doubles(JsonNode weights) {
    List<Double> values = new ArrayList<>();
    weights.forEach(weight -> values.add(weight.doubleValue()));
    return values;
  }

  private static SortedMap<Long, StandingRounds.Decided> rounds(String run) {
    return StandingRounds.read(service.kafka, run).rounds();
  }

  /** Alignments at the steps of the rounds, of the timeline that each now is of. */
  private static void align(RunInfo run) {
    try (KafkaProducer<byte[], byte[]> producer = service.producer()) {
      for (long step = 10; step <= 60; step += 10) {
        TrainerFeedback report =
            TrainerFeedback.newBuilder()
                .setRunId(run.runId())
                .setTimeline(step > 24 ? 1 : 0)
                .setStep(step)
                .setTrainerStep(step)
                .setAttempt("aligned-" + step)
                .setWorldSize(1)
                .setRank(0)
                .setMetric("alignment")
                .setEntries(
                    List.of(
                        new DomainMeasure("large", 0.1 * step, 1L),
                        new DomainMeasure("medium", 1.0, 1L),
                        new DomainMeasure("small", -0.5, 1L)))
                .setTimeMillis(1)
                .build();
        var unused =
            producer.send(
                new ProducerRecord<>(
                    service.kafka.topics().feedback("asked"), 0, null, WireCodec.encode(report)));
      }
    }
  }

  private static String fails(String... command) {
    TestingSluice.Said said = sluice.run(command);
    assertThat(said.exit()).as(said.out()).isEqualTo(2);
    return said.err();
  }
}
