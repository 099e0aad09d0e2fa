package io.sluice.lab.bench;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The benchmarks that need no broker, and what all refuse before they start one. */
class BenchCommandTest {
  @TempDir private Path home;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) {
    CommandLine command =
        new CommandLine(new BenchCommand())
            .addMixin(CliCommand.GLOBAL, new GlobalOptions(Map.of(), home));
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler(
        (e, line, parsed) -> {
          err.write(String.valueOf(e.getMessage()));
          return 2;
        });
    return command.execute(arguments);
  }

  private JsonNode json(String name) throws Exception {
    return new ObjectMapper().readTree(home.resolve(name).toFile());
  }

  @Test
  void planMeasuresEveryPairOfDomainsAndBatch() throws Exception {
    String file = home.resolve("plan.json").toString();
    assertThat(execute("plan", "--quick", "--domains=2,64", "--batch=8,16", "--json", file))
        .as(err.toString())
        .isZero();
    JsonNode results = json("plan.json");
    assertThat(results).hasSize(4);
    assertThat(results.get(3).get("domains").asInt()).isEqualTo(64);
    assertThat(results.get(3).get("batchSize").asInt()).isEqualTo(16);
    assertThat(results.get(3).get("planMicros").asDouble()).isPositive();
    assertThat(out.toString()).contains("| 64 ").contains("plan µs");
  }

  @Test
  void refineMeasuresEachStepWithEveryNumberOfThreads() throws Exception {
    Path texts = Files.createDirectory(home.resolve("texts"));
    for (int i = 0; i < 120; i++) {
      String words = IntStream.range(0, 20 + i).mapToObj(n -> "w" + n).collect(joining(" "));
      Files.writeString(texts.resolve(i + ".md"), words + " of text " + i);
    }
    String file = home.resolve("refine.json").toString();
    assertThat(execute("refine", "--quick", "--texts=" + texts, "--threads=1,2", "--json", file))
        .as(err.toString())
        .isZero();
    JsonNode results = json("refine.json");
    assertThat(results).hasSize(2 * 7);
    assertThat(results.get(0).get("step").asText()).isEqualTo("words");
    assertThat(results.get(0).get("ofWords").asDouble()).isEqualTo(1);
    assertThat(results.get(13).get("step").asText()).isEqualTo("all steps");
    assertThat(results)
        .allSatisfy(r -> assertThat(r.get("documentsPerSecond").asDouble()).isPositive());
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  @Test
  void policyMeasuresARoundOfEachPolicy() throws Exception {
    String file = home.resolve("policy.json").toString();
    assertThat(
            execute("policy", "--quick", "--domains=4", "--policy=dga,velocitune", "--json", file))
        .as(err.toString())
        .isZero();
    assertThat(json("policy.json").findValuesAsText("policy")).containsExactly("dga", "velocitune");
  }

  @Test
  void fanOutCountsBothDeliveriesAtEachNumberOfGpus() throws Exception {
    String file = home.resolve("fan.json").toString();
    String figure = home.resolve("fan.svg").toString();
    assertThat(execute("fan-out", "--quick", "--svg", figure, "--json", file))
        .as(err.toString())
        .isZero();
    JsonNode results = json("fan.json");
    assertThat(results.findValuesAsText("delivery"))
        .containsExactly("tokens", "derived", "tokens", "derived");
    assertThat(results.get(2).get("gpus").asInt()).isEqualTo(64);
    assertThat(results.get(3).get("store").get("directMBps").asDouble()).isPositive();
    assertThat(out.toString()).contains("brokers out MB/s");
    assertThat(home.resolve("fan.svg")).isNotEmptyFile();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "mix --domains=0; --domains must be in [1, 262144]: 0",
        "mix --block-bytes=10; --block-bytes must be in [256, 1048576]: 10",
        "mix --batch=0; --batch must be in [1, 1048576]: 0",
        "mix --duration=0; --duration must be in (0, 3600] seconds: 0.0",
        "mix --repeats=0; --repeats must be in [1, 100]: 0",
        "mix --json=.; '--json': must be a file that can be written: .",
        "mix --svg=a/b.svg; '--svg': must be a file that can be written: a/b.svg",
        "mix --svg=b.svg --lanes=1,2 --runs=1,2; at most one setting besides --compression: found 3",
        "mix --compression=zip; expected one of [NONE, LZ4]",
        "age --ended=0; --ended must be in [1, 100000]: 0",
        "age --live=0; --live must be in [1, 1000]: 0",
        "age --domains=0; --domains must be in [1, 4096]: 0",
        "age --ended=30 --decisions=17; --decisions must be in [60, 100000000]: 17",
        "end-to-end --domains=0; --domains must be in [1, 65536]: 0",
        "end-to-end --rows=1023; --rows must be in [1024, 16777216]: 1023",
        "end-to-end --length=0; --length must be in [1, 524288]: 0",
        "end-to-end --readers=3; --batch must be a multiple of the 3 readers: 512",
        "end-to-end --deliveries=memory_map; --deliveries must be tokens, derived or both",
        "end-to-end --clients=rust; expected one of [JAVA, PYTHON]",
        "fan-out --gpus=0; --gpus must be in [1, 131072]: 0",
        "fan-out --copies=13; --copies must be in [1, 12]: 13",
        "fan-out --measure=257; --measure must be in [1, 256]: 257",
        "step --steps=1; --steps must be in [2, 10000]: 1",
        "prepare --domains=0; --domains must be in [1, 16384]: 0",
        "prepare --threads=65; --threads must be in [1, 64]: 65",
        "prepare --duration=-1; --duration must be in (0, 600] seconds: -1.0"
      })
  void refusesWhatItCannotMeasure(String command, String message) {
    assertThat(execute(command.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }
}
