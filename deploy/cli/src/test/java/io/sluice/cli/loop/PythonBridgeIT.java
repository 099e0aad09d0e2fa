package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.service.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python trainers on a real broker, fed by both jobs. */
class PythonBridgeIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SEED = 20261121;
  private static final int KILLS = Boolean.getBoolean("sluice.full") ? 50 : 15;

  @TempDir private static Path directory;

  private static TestingService service;

  @BeforeAll
  static void start() {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    service = new TestingService(directory);
    service.fill();
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  @Test
  void movesTheMixtureTowardsTheDomainThatLearnsSlowest() throws Exception {
    service.start(service.velocitune("scripted", 60));
    JsonNode batches = json(TestingPython.live("scripted.py", arguments("scripted")));
    assertThat(batches).hasSize(60);
    assertThat(sequencesOfMedium(batches, 50)).isGreaterThan(sequencesOfMedium(batches, 0));
    RunHistory history = RunHistory.read(service.kafka, "scripted");
    assertThat(history.rounds()).hasSize(5);
    assertThat(batches.get(59).get("weights").get(1).asDouble())
        .isGreaterThan(batches.get(0).get("weights").get(1).asDouble());
    AuditReport audit = Auditor.audit(service.kafka, "scripted");
    assertThat(audit.violations()).isEmpty();
  }

  @Test
  void trainsOnTheSameRowsHoweverOftenItIsKilledAndInWhateverWorld(@TempDir Path folder)
      throws Exception {
    service.start(service.velocitune("killed", 200));
    List<String> arguments = arguments("killed");
    arguments.addAll(List.of("--folder", folder.toString()));
    arguments.addAll(List.of("--kills", Integer.toString(KILLS), "--seed", Long.toString(SEED)));
    JsonNode result = json(TestingPython.live("killed.py", arguments));
    assertThat(result.get("wrong")).as("seed %d", SEED).isEmpty();
    assertThat(result.get("killed").asInt()).isEqualTo(KILLS);
    assertThat(result.get("batches").asInt()).isEqualTo(200);
    assertThat(Auditor.audit(service.kafka, "killed").violations()).isEmpty();
  }

  @Test
  void tellsTheOlderOfTwoTrainersThatAJavaProcessTookItsRank() throws Exception {
    RunInfo run = service.start(service.fixed("claimed", 40));
    Process python =
        TestingPython.process(TestingPython.script("claimed.py", arguments("claimed")))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = python.inputReader()) {
      assertThat(output.readLine()).isEqualTo("holds the rank");
      try (Loader stream = Loader.open(service.kafka, run, StreamOptions.defaults())) {
        assertThat(stream.next(Patience.MINUTE).batch()).isEqualTo(1);
        assertThat(output.readLine())
            .startsWith("rank 0 of 1 of run " + run.runId() + " was taken by process ")
            .contains(" process " + ProcessHandle.current().pid() + " on host ")
            .endsWith("or give each a rank, replica or run of its own");
      }
    } finally {
      python.destroyForcibly().waitFor();
    }
  }

  @Test
  void isToldOfARewindAndGoesOnUnderTheNewTimeline(@TempDir Path folder) throws Exception {
    new DatasetCatalog(service.kafka).publish(service.dataset);
    service.start(service.velocitune("rewound", 0));
    try (PythonFollower trainer =
        PythonFollower.start(service.kafka, "rewound", 34, "--rest-after", "20")) {
      trainer.await("step 20 0");
      TestingSluice.Said said =
          new TestingSluice(service.kafka, folder)
              .run("run", "rewind", "rewound", "--to-batch", "14");
      assertThat(said.out()).contains("rewound to batch 14, from batch 15 (timeline 1,");
      trainer.goOn();
      assertThat(trainer.await("rewound")).isEqualTo("rewound 14 1");
      for (long batch = 15; batch <= 34; batch++) {
        assertThat(trainer.next()).isEqualTo("step " + batch + " 1");
      }
      assertThat(trainer.next()).isEqualTo("done");
    }
    AuditReport audit = Auditor.audit(service.kafka, "rewound");
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.timelines()).isEqualTo(2);
  }

  @Test
  void takesTheWeightsOfAFunctionHoweverManyProcessesAnswer() throws Exception {
    service.start(service.deciding("steered", 60, "external", Map.of(), 10));
    List<String> arguments = TestingPython.exampleScript("actor_critic.py", arguments("steered"));
    List<Process> policies = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        policies.add(TestingPython.process(arguments).redirectErrorStream(true).start());
      }
      for (Process policy : policies) {
        assertThat(policy.inputReader().readLine())
            .endsWith("the round of step 10 waits for eval_loss");
      }
      JsonNode batches = json(TestingPython.live("scripted.py", arguments("steered")));
      List<Double> learntSlowest = new ArrayList<>();
      batches.forEach(batch -> learntSlowest.add(batch.get("weights").get(1).asDouble()));
      assertThat(Collections.min(learntSlowest))
          .as("what is learned slowest loses weight")
          .isLessThan(learntSlowest.get(0));
      for (Process policy : policies) {
        assertThat(policy.waitFor(Patience.MINUTE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(policy.exitValue()).isZero();
      }
    } finally {
      policies.forEach(Process::destroyForcibly);
    }
    assertThat(RunHistory.read(service.kafka, "steered").rounds()).hasSize(5);
    assertThat(Auditor.audit(service.kafka, "steered").violations()).isEmpty();
  }

  @Test
  void asksAFunctionInTheSimulator(@TempDir Path folder) throws Exception {
    Path csv = folder.resolve("course.csv");
    new TestingSluice(service.kafka, folder)
        .does(
            "simulate",
            "--scenario",
            "system-stack",
            "--steps",
            "600",
            "--every",
            "20",
            "--policy",
            "external",
            "--external",
            TestingPython.exampleLine("actor_critic.py", List.of()),
            "--csv",
            csv.toString());
    Map<String, Double> fallen = new TreeMap<>();
    for (String domain : List.of("arxiv", "blogs", "stackoverflow")) {
      fallen.put(domain, of(csv, "static,0," + domain)[1] - of(csv, "static,600," + domain)[1]);
    }
    String most = Collections.max(fallen.entrySet(), Map.Entry.comparingByValue()).getKey();
    assertThat(of(csv, "external,0," + most)[0]).isLessThan(.25);
    assertThat(of(csv, "external,240," + most)[0]).as(most).isGreaterThan(.5);
  }

  /** Weight and loss in the row of a policy, a batch and a domain. */
  private static double[] of(Path csv, String row) throws IOException {
    String found =
        Files.readAllLines(csv).stream()
            .filter(line -> line.startsWith(row + ","))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no row " + row));
    return Arrays.stream(found.substring(row.length() + 1).split(",", -1))
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  @Test
  void measuresItsThroughput() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-m", "sluice.bench", "--rounds", "1"));
    arguments.addAll(List.of("--bootstrap", service.kafka.bootstrapServers(), "--json", "-"));
    arguments.addAll(List.of("--batches", "8", "--sequences", "64", "--length", "256"));
    JsonNode result = json(TestingPython.succeed(arguments));
    assertThat(result.get("loader").get("tokens_per_second").asDouble()).isPositive();
    assertThat(result.get("ratio").asDouble()).isPositive();
    assertThat(result.get("report_microseconds")).hasSize(8);
    assertThat(result.get("report_microseconds").get(7).get("median").asDouble()).isPositive();
  }

  @Test
  void trainsASmallGptWhoseLossesMoveTheMixtureAndWhichResumes(@TempDir Path folder)
      throws Exception {
    TestingPython.require("torch");
    service.start(service.velocitune("gpt", 40));
    List<String> arguments = example("gpt");
    arguments.addAll(List.of("--checkpoint", folder.resolve("gpt.pt").toString()));
    TestingPython.example("gpt_velocitune.py", with(arguments, "--steps", "25"));
    String output = TestingPython.example("gpt_velocitune.py", with(arguments, "--steps", "40"));
    assertThat(output.lines().map(line -> line.split(" ", -1)[0])).containsExactly("30", "40");
    RunHistory history = RunHistory.read(service.kafka, "gpt");
    assertThat(history.rounds()).hasSize(3);
    assertThat(history.versions()).hasSize(4);
    assertThat(Auditor.audit(service.kafka, "gpt").violations()).isEmpty();
  }

  @Test
  void trainsWithDistributedDataParallel() throws Exception {
    TestingPython.require("torch");
    service.start(service.velocitune("ddp", 20));
    List<String> arguments = new ArrayList<>(List.of("-m", "torch.distributed.run"));
    arguments.addAll(List.of("--standalone", "--nproc-per-node", "2"));
    arguments.addAll(TestingPython.exampleScript("ddp.py", example("ddp")));
    assertThat(TestingPython.succeed(arguments)).contains("10 loss ").contains("20 loss ");
    assertThat(RunHistory.read(service.kafka, "ddp").rounds()).hasSize(1);
  }

  @Test
  void alignsGradientsWithATargetDomain() throws Exception {
    TestingPython.require("torch");
    service.start(service.deciding("dga", 20, "dga", Map.of(), 5));
    TestingPython.example("dga.py", with(example("dga"), "--target", "small"));
    RunHistory history = RunHistory.read(service.kafka, "dga");
    assertThat(history.rounds()).hasSize(3);
    assertThat(history.versions().get(3)).isNotEqualTo(history.versions().get(0));
  }

  @Test
  void trainsWithTheTrainerOfTransformers(@TempDir Path folder) throws Exception {
    TestingPython.require("torch", "transformers", "accelerate");
    service.start(service.velocitune("hf", 30));
    List<String> arguments = with(example("hf"), "--output", folder.toString());
    TestingPython.example("huggingface_velocitune.py", with(arguments, "--steps", "20"));
    arguments = with(arguments, "--steps", "30");
    arguments.add("--resume");
    TestingPython.example("huggingface_velocitune.py", arguments);
    assertThat(folder.resolve("checkpoint-20/sluice.json")).exists();
    assertThat(RunHistory.read(service.kafka, "hf").rounds()).hasSize(2);
  }

  private static List<String> with(List<String> arguments, String key, String value) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of(key, value));
    return all;
  }

  private static List<String> example(String run) {
    return new ArrayList<>(List.of(run, "--bootstrap", service.kafka.bootstrapServers()));
  }

  private static List<String> arguments(String run) {
    return new ArrayList<>(List.of("--bootstrap", service.kafka.bootstrapServers(), "--run", run));
  }

  private static JsonNode json(String output) throws IOException {
    return JSON.readTree(output);
  }

  private static int sequencesOfMedium(JsonNode batches, int from) {
    int found = 0;
    for (int i = from; i < from + 10; i++) {
      for (JsonNode domain : batches.get(i).get("domains")) {
        found += domain.asText().equals("medium") ? 1 : 0;
      }
    }
    return found;
  }
}
