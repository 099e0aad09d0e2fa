package io.sluice.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.lab.python.PythonClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * Every benchmark, as small as it gets: what it reports is complete and fits together. Those that
 * take minutes even so are among the long tests.
 */
class BenchIT {
  @TempDir private Path home;

  private final StringWriter table = new StringWriter();

  @BeforeAll
  static void thereIsAProject() {
    System.setProperty("sluice.project", "../..");
  }

  @AfterAll
  static void thereIsNone() {
    System.clearProperty("sluice.project");
  }

  private JsonNode bench(String... arguments) throws Exception {
    Path json = home.resolve("result.json");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--quick", "--json", json.toString()));
    StringWriter progress = new StringWriter();
    int code =
        commandLine()
            .setOut(new PrintWriter(table))
            .setErr(new PrintWriter(progress))
            .execute(all.toArray(String[]::new));
    assertThat(code).as(progress.toString()).isZero();
    assertThat(table.toString()).contains(" cores, ");
    return new ObjectMapper().readTree(json.toFile());
  }

  private CommandLine commandLine() {
    return new CommandLine(new BenchCommand())
        .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), home))
        .setExecutionExceptionHandler(BenchIT::say)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static int say(Exception failure, CommandLine command, ParseResult parsed) {
    command.getErr().println(failure);
    return 1;
  }

  @Test
  void mixIsComparedWithBothCopies() throws Exception {
    Path figure = home.resolve("mix.svg");
    JsonNode results =
        bench(
            "mix",
            "--domains=3",
            "--block-bytes=1024",
            "--batch=32",
            "--duration=0.01",
            "--svg=" + figure);
    assertThat(results).hasSize(1);
    JsonNode result = results.get(0);
    assertThat(result.get("domains").asInt()).isEqualTo(3);
    assertThat(result.get("lanes").asInt()).isEqualTo(1);
    assertThat(result.get("blockBytes").asInt()).isBetween(1000, 1040);
    assertThat(result.get("compression").asText()).isEqualTo("none");
    double mix = positive(result, "mixMBps");
    assertThat(positive(result, "ratioToCopy"))
        .isCloseTo(mix / positive(result, "copyMBps"), within(1e-9));
    assertThat(positive(result, "ratioToFlinkCopy"))
        .isCloseTo(mix / positive(result, "flinkCopyMBps"), within(1e-9));
    assertThat(positive(result, "ratioToTunedFlinkCopy"))
        .isCloseTo(mix / positive(result, "tunedFlinkCopyMBps"), within(1e-9));
    for (String cost : List.of("mixCost", "copyCost", "flinkCopyCost", "tunedFlinkCopyCost")) {
      positive(result.get(cost), "cpuMicros");
      positive(result.get(cost), "allocatedBytes");
    }
    assertThat(figure).content().contains("plain copy", "rate, none", "µs for each block");
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  @Test
  void loopGivesItsLatenciesForEachNumberOfDomains() throws Exception {
    JsonNode result =
        bench("loop", "--domains=3,5", "--block-bytes=512", "--batch=8", "--rounds=5");
    assertThat(result.get("points"))
        .extracting(p -> p.get("domains").asInt())
        .containsExactly(3, 5);
    for (JsonNode point : result.get("points")) {
      assertThat(point.get("rounds").asInt()).isEqualTo(5);
      for (String latency :
          List.of("feedbackToGrantMs", "feedbackToBlockMs", "reportToGrantMs", "logRoundTripMs")) {
        assertThat(positive(point.get(latency), "p99"))
            .isGreaterThanOrEqualTo(positive(point.get(latency), "p50"));
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void waitGivesTheShareByCauseThroughAKilledTaskManager() throws Exception {
    JsonNode result = bench("wait", "--steps=40", "--lag=20");
    assertThat(result.path("taskManagerRestarts").asInt()).isEqualTo(1);
    assertThat(result.path("stepSeconds").asDouble()).isGreaterThanOrEqualTo(39 * 0.05);
    double share = result.path("exposedWaitShare").asDouble();
    assertThat(share).isBetween(Double.MIN_VALUE, 1.0);
    double sum = 0;
    for (JsonNode each : result.path("byCause")) {
      sum += each.asDouble();
    }
    assertThat(sum).isCloseTo(share, within(1e-9));
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void startGivesTheTimesToAFirstBatchForEachNumberOfDomains() throws Exception {
    JsonNode result = bench("start", "--domains=3,5", "--ranks=2", "--repeats=2");
    for (String domains : List.of("3", "5")) {
      JsonNode whole = result.get("applyToFirstBatchMs").get(domains);
      assertThat(positive(whole, "max")).isGreaterThanOrEqualTo(positive(whole, "p50"));
      JsonNode parts = result.get("parts").get(domains);
      assertThat(parts).hasSize(4);
      for (JsonNode part : parts) {
        assertThat(positive(part, "max")).isLessThanOrEqualTo(whole.get("max").asDouble());
      }
    }
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void bridgeIsComparedWithABareConsumer() throws Exception {
    JsonNode result = bench("bridge", "--block-bytes=1024", "--batch=16", "--megabytes=1");
    assertThat(positive(result, "ratio"))
        .isCloseTo(
            positive(result, "tokensPerSecond") / positive(result, "bareConsumerTokensPerSecond"),
            within(1e-9));
  }

  @Test
  void prepareIsComparedWithTheBareTokenizerAtEachNumberOfThreads() throws Exception {
    JsonNode result = bench("prepare", "--tokenizer=r50k_base", "--threads=1,2", "--duration=0.2");
    assertThat(positive(result, "ratio"))
        .isCloseTo(positive(result, "docsMBps") / positive(result, "tokenizerMBps"), within(1e-9));
    assertThat(result.get("points"))
        .extracting(point -> point.get("domains").asInt() + "/" + point.get("threads").asInt())
        .containsExactly("8/1", "8/2");
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  @Test
  void prepareDealsIdsOfATokenizersFileToDomains() throws Exception {
    Path file =
        Path.of("../../flink-jobs/jobs/src/test/resources/tokenizers/small/byte-level.json");
    JsonNode result =
        bench(
            "prepare",
            "--tokenizer=file:" + file.toAbsolutePath(),
            "--pre-tokenized",
            "--domains=20",
            "--threads=1",
            "--duration=0.2");
    assertThat(result.get("preTokenized").asBoolean()).isTrue();
    assertThat(result.get("points"))
        .extracting(each -> each.get("domains").asInt())
        .containsExactly(20);
    JsonNode point = result.get("points").get(0);
    for (String cost : List.of("cpuMicrosPerDocument", "brokerMicrosPerDocument", "startSeconds")) {
      positive(point, cost);
    }
    assertThat(positive(point, "idsMBpsPerCore"))
        .isGreaterThan(1 / positive(point, "cpuMicrosPerDocument"));
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void endToEndSaysWhatEachPartTakesWithEachClient() throws Exception {
    boolean python = PythonClient.find().isPresent();
    JsonNode rows =
        bench(
            "end-to-end",
            "--domains=3,5",
            "--rows=64",
            "--batch=16",
            "--length=128",
            "--readers=2");
    for (int domains : List.of(3, 5)) {
      List<String> ways = new ArrayList<>();
      for (JsonNode row : rows) {
        if (row.get("domains").asInt() == domains) {
          ways.add(
              row.get("client").asText()
                  + " "
                  + row.get("delivery").asText()
                  + " "
                  + row.get("turn").asText());
        }
      }
      List<String> expected = new ArrayList<>();
      for (String reads :
          python
              ? List.of("java tokens", "java derived", "python tokens", "python derived")
              : List.of("java tokens", "java derived")) {
        expected.addAll(List.of(reads + " live", reads + " finished"));
      }
      assertThat(ways).containsExactlyInAnyOrderElementsOf(expected);
    }
    for (JsonNode row : rows) {
      boolean live = row.get("turn").asText().equals("live");
      List<String> parts = new ArrayList<>();
      double sum = 0;
      for (Map.Entry<String, JsonNode> part : row.get("byPart").properties()) {
        parts.add(part.getKey());
        sum += part.getValue().asDouble();
      }
      assertThat(parts)
          .isEqualTo(live ? List.of("broker", "job", "reader") : List.of("broker", "reader"));
      assertThat(row.get("cpuSecondsPerGtok").asDouble()).isCloseTo(sum, within(1e-3 * sum));
      positive(row, "mtokPerSecond");
      positive(row, "coldCpuSecondsPerGtok");
      for (String part : parts) {
        assertThat(positive(row.get("residentMiB"), part)).isGreaterThan(10);
      }
    }
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void endToEndHoldsItAgainstAMemoryMapOfTheSameRows() throws Exception {
    assumeTrue(PythonClient.find().isPresent(), PythonClient.NEEDS);
    JsonNode rows =
        bench(
            "end-to-end",
            "--clients=python",
            "--domains=3",
            "--rows=64",
            "--batch=16",
            "--length=128",
            "--peers");
    Map<String, JsonNode> finished = new TreeMap<>();
    for (JsonNode row : rows) {
      if (row.get("turn").asText().equals("finished")) {
        finished.put(row.get("client").asText(), row);
      }
    }
    assertThat(finished).containsKeys("memory-map", "python");
    JsonNode map = finished.get("memory-map");
    assertThat(map.get("delivery").asText()).isEqualTo("memory-map");
    assertThat(map.get("byPart").fieldNames()).toIterable().containsExactly("reader");
    positive(map, "mtokPerSecond");
    assertThat(positive(map.get("residentMiB"), "reader")).isGreaterThan(10);
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void fanOutCountsWhatTheBrokerCountsOfEightReaders() throws Exception {
    JsonNode checks = bench("fan-out", "--measure=8");
    Map<String, Double> ratios = new TreeMap<>();
    checks.forEach(each -> ratios.put(each.get("what").asText(), positive(each, "ratio")));
    assertThat(ratios)
        .hasEntrySatisfying("connections", ratio -> assertThat(ratio).isEqualTo(1))
        .hasEntrySatisfying(
            "bytes out of the stream", ratio -> assertThat(ratio).isBetween(0.99, 1.02))
        .hasEntrySatisfying(
            "bytes out of the control log", ratio -> assertThat(ratio).isBetween(0.95, 1.3))
        .hasEntrySatisfying("bytes of claims", ratio -> assertThat(ratio).isBetween(0.9, 1.1))
        .hasEntrySatisfying("bytes into feedback", ratio -> assertThat(ratio).isBetween(0.9, 1.1))
        .hasEntrySatisfying(
            "requests a second while all wait", ratio -> assertThat(ratio).isLessThan(1.1));
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void stepTrainsWithAndWithoutTheLoader() throws Exception {
    PythonClient python = PythonClient.find().orElse(null);
    assumeTrue(python != null && hasTorch(python), "needs Python with PyTorch");
    JsonNode result = bench("step");
    List<String> names = new ArrayList<>();
    for (JsonNode run : result.get("runs")) {
      names.add(run.get("run").asText());
      assertThat(positive(run, "ratio"))
          .isCloseTo(positive(run, "loader") / positive(run, "memory"), within(1e-9));
    }
    assertThat(names).containsExactly("tokens", "derived");
    assertThat(Set.copyOf(result.get("runs").findValuesAsText("digest"))).hasSize(1);
    assertThat(table.toString())
        .contains(result.get("on_gpu").asBoolean() ? "parameters" : "not run on a GPU");
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  private static boolean hasTorch(PythonClient python) throws Exception {
    return new ProcessBuilder(python.interpreter().toString(), "-c", "import torch")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.full", matches = "true")
  void ageComparesAnOldServiceWithAYoungOne() throws Exception {
    JsonNode result =
        bench("age", "--ended=3", "--live=2", "--decisions=60", "--domains=4", "--repeats=1");
    for (String ratio :
        List.of(
            "openJava",
            "runList",
            "runShow",
            "restartFromCheckpoint",
            "restartWithoutState",
            "heap")) {
      positive(result.get("ratios"), ratio);
    }
    assertThat(result.get("ratios").has("openPython")).isTrue();
    assertThat(positive(result.get("ratios"), "openJava"))
        .isCloseTo(
            positive(result.get("old").get("openJava").get("wall"), "median")
                / positive(result.get("young").get("openJava").get("wall"), "median"),
            within(1e-9));
    assertThat(result.get("logRecordsPer10000StaticBatches").asLong()).isBetween(1L, 200L);
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  private static double positive(JsonNode result, String key) {
    assertThat(result.get(key).asDouble()).as(key).isPositive();
    return result.get(key).asDouble();
  }
}
