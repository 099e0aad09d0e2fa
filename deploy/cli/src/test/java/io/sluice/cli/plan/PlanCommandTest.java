package io.sluice.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.Sluice;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Plans without a broker. */
class PlanCommandTest {
  private static final String DATASET =
      """
      dataset: small
      sequence-length: 256 tokens
      held-out: 0.01
      domains: [wiki, A_b]
      """;
  private static final String RUN =
      """
      run: velo
      dataset: small
      batch: 16 sequences
      batches: 1000
      initial-weights: uniform
      policy: {velocitune: {every: 20, target-fraction: 0.3}}
      eval-tokens: 4k tokens
      """;
  private static final String REFINERY =
      """
      refinery: clean
      inputs: [raw]
      domains: clean-{input}
      duplicates: {}
      """;

  @TempDir private Path directory;

  private Path dataset;
  private Path run;

  @BeforeEach
  void write() throws IOException {
    dataset = Files.writeString(directory.resolve("dataset.yaml"), DATASET);
    run = Files.writeString(directory.resolve("run.yaml"), RUN);
    Files.writeString(directory.resolve("refine.yaml"), REFINERY);
    Files.writeString(directory.resolve("other.yaml"), "sweep: x\n");
    Files.writeString(directory.resolve("again.yaml"), DATASET);
    Files.writeString(
        directory.resolve("from-run.yaml"),
        RUN.replace("target-fraction: 0.3", "targets: {from-run: before}"));
  }

  private Said plan(String... options) {
    List<String> command = new ArrayList<>(List.of("plan", "--offline"));
    command.addAll(List.of(options));
    return new TestingSluice(KafkaAccess.local("localhost:1"), directory)
        .run(command.toArray(String[]::new));
  }

  private JsonNode json(String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("plan", "--offline", "--json", "-"));
    command.addAll(List.of(options));
    return new TestingSluice(KafkaAccess.local("localhost:1"), directory)
        .json(command.toArray(String[]::new));
  }

  @Test
  void saysWhatEachFileNeeds() throws IOException {
    JsonNode plan = json("-f", dataset.toString(), run.toString());
    assertThat(plan.at("/asked").asBoolean()).isFalse();
    assertThat(plan.get("topics").findValuesAsText("topic"))
        .contains(
            "sluice.datasets",
            "sluice.corpus.wiki",
            "sluice.blocks.small.A_b",
            "sluice.feedback.velo",
            "sluice.control.velo.*",
            "sluice.stream.velo");
    assertThat(plan.get("topics").findValuesAsText("standing")).containsOnly("not asked");
    assertThat(plan.at("/topics/0/replicas").asInt()).isEqualTo(3);
    assertThat(plan.at("/datasets/0/tokens").asLong()).isEqualTo(4_096_000);
    assertThat(plan.at("/runs/0/memory/splits").asInt()).isEqualTo(1);
    assertThat(plan.at("/runs/0/evaluation/sequences").asLong()).isEqualTo(32);
    assertThat(plan.get("users").findValuesAsText("role"))
        .containsExactly(
            "operator", "job", "producer of A_b", "producer of wiki", "trainer of velo");
    assertThat(plan.at("/bytes").asLong()).isPositive();
    assertThat(plan.at("/copied-bytes").asLong()).isEqualTo(3 * plan.at("/bytes").asLong());
  }

  @Test
  void theSameForPeople() {
    Said said = plan("-f", dataset.toString(), "-f", run.toString(), "--rate", "1M tokens");
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains(
            "4,096,000 tokens for training",
            "memory of MixJob for its blocks: 4.5 MiB to 225.0 MiB",
            "evaluation: every 20 batches 32 sequences",
            "sluice rights trainer --run velo --dataset small --user sluice-trainer-velo",
            "3 brokers, as is assumed");
  }

  @Test
  void oneBrokerKeepsWhatItActsOnAtOnceAndOneCopy() throws IOException {
    JsonNode plan = json("-f", dataset.toString(), "--brokers", "1");
    assertThat(plan.at("/topics/2/topic").asText()).isEqualTo("sluice.runs");
    assertThat(plan.at("/topics/2/config").get("flush.messages").asText()).isEqualTo("1");
    assertThat(plan.at("/topics/2").has("replicas")).isFalse();
  }

  @Test
  void aRefineryHasTopicsAndProducersOfItsInputs() throws IOException {
    JsonNode plan = json("-f", directory.resolve("refine.yaml").toString());
    assertThat(plan.get("topics").findValuesAsText("topic"))
        .contains("sluice.refined.clean", "sluice.corpus.raw", "sluice.corpus.clean-raw");
    assertThat(plan.get("users").findValuesAsText("role"))
        .contains("producer of raw")
        .doesNotContain("producer of clean-raw");
  }

  @Test
  void commandsOfKafkasToolsMakeTopicsRightsAndQuotas() {
    Said said = plan("-f", dataset.toString(), run.toString(), "--commands", "--rate", "256k");
    assertThat(said.err()).isEmpty();
    assertThat(said.out().lines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith(
                        "kafka-topics.sh --bootstrap-server localhost:1 --create --if-not-exists"
                            + " --topic 'sluice.blocks.small.A_b' --partitions 1"
                            + " --replication-factor 3 --config cleanup.policy=delete")
                    .contains("--config max.message.bytes=16777216"))
        .anyMatch(line -> line.startsWith("kafka-acls.sh") && line.contains("sluice-trainer-velo"))
        .anyMatch(
            line ->
                line.startsWith("kafka-configs.sh")
                    && line.contains("consumer_byte_rate=")
                    && line.endsWith("--entity-name 'sluice-trainer-velo'"))
        .noneMatch(line -> line.contains("*"));
  }

  @Test
  void withoutAnyBrokerNoneIsAsked() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Sluice.commandLine(new GlobalOptions(Map.of(), directory), more -> {});
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    assertThat(command.execute("plan", "-f", dataset.toString())).isZero();
    assertThat(out.toString()).contains("not asked");
    assertThat(err.toString()).contains("no broker is known, and none was asked");
  }

  @ParameterizedTest
  @CsvSource({
    "-f none.yaml, no such file",
    "-f other.yaml, 'other.yaml must have one of the keys run, refinery and dataset'",
    "-f dataset.yaml again.yaml, dataset 'small' must be described by one file",
    "-f run.yaml, run.yaml: dataset must be one of []",
    "-f dataset.yaml from-run.yaml, targets.from-run must be of a run that the brokers have",
    "-f dataset.yaml --ranks 0, --ranks must be from 1 to 131072: 0",
    "-f dataset.yaml --brokers 1001, --brokers must be from 1 to 1000: 1001",
    "-f dataset.yaml --tokens 0, must be a number of tokens from 1 to",
    "-f dataset.yaml --rate many, must be a number of tokens from 1 to",
    "-f dataset.yaml --strimzi k:k, --strimzi must match",
    "-f dataset.yaml --flink folder, --flink must match",
    "-f dataset.yaml --strimzi k --commands, mutually exclusive",
    "'', Missing required option: '--file",
  })
  void refusesWhatIsNone(String options, String reason) {
    String[] arguments = options.isEmpty() ? new String[0] : options.split(" ");
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].endsWith(".yaml")) {
        arguments[i] = directory.resolve(arguments[i]).toString();
      }
    }
    Said said = plan(arguments);
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains(reason);
    assertThat(said.out()).isEmpty();
  }

  @Test
  void brokersThatAreAskedSayHowManyTheyAre() {
    Said said =
        new TestingSluice(KafkaAccess.local("localhost:1"), directory)
            .run("plan", "-f", dataset.toString(), "--brokers", "3");
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains("--brokers is for --offline");
  }
}
