package io.sluice.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.GlobalOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every benchmark, as small as it gets: what it reports is complete and fits together. */
class BenchIT {
  @TempDir private Path home;

  private final StringWriter table = new StringWriter();

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
    return BenchCommand.commandLine(new GlobalOptions(Map.of(), home));
  }

  @Test
  void mixIsComparedWithBothCopies() throws Exception {
    JsonNode results =
        bench("mix", "--domains", "3", "--block-bytes", "1024", "--batch", "32", "--duration=0.01");
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
    positive(result, "mixCpuMicros");
    assertThat(home.resolve("bench")).isEmptyDirectory();
  }

  private static double positive(JsonNode result, String key) {
    assertThat(result.get(key).asDouble()).as(key).isPositive();
    return result.get(key).asDouble();
  }
}
