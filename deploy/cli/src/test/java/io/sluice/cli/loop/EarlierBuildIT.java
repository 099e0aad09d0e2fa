package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.client.error.RewoundException;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The runs of a {@link Recording} go on exactly as the build that recorded them went on, whether
 * the jobs go on from that build's checkpoints or have only the topics.
 */
@ParameterizedClass(name = "checkpoints: {0}")
@ValueSource(booleans = {false, true})
class EarlierBuildIT {
  private static final Duration IDLE = Duration.ofMinutes(1);

  @Parameter boolean checkpoints;

  private static Path directory;
  private static LocalService service;
  private static KafkaAccess kafka;
  private static TestingSluice sluice;

  @BeforeParameterizedClassInvocation
  static void start(boolean checkpoints, @TempDir Path given) throws Exception {
    directory = given;
    Path state = directory.resolve("state");
    Recording.unpack(state, checkpoints);
    service = LocalService.start(LocalSettings.in(state), event -> {});
    kafka = service.access();
    sluice = new TestingSluice(kafka, directory);
    does("ingest", "--domain", "prose", "--end", Recording.file("prose.jsonl").toString());
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  @Test
  void itsRunsAreListed() {
    assertThat(does("run", "list")).contains("velo", "branch", "static");
  }

  @Test
  void itsTrainerGoesOnAndRoundsAreDecidedAsTheyWere() throws Exception {
    await("velo", "recorded");
    try (var trainer = DigestingTrainer.attached(kafka, "velo", Recording.state("velo-19"))) {
      assertThat(trainer.train(36)).isEqualTo(Recording.taken("velo", 20, 36));
    }
    await("velo", "later");
  }

  @Test
  void itsPythonTrainerGoesOnWithAFork() throws Exception {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    await("branch", "recorded");
    Path state = Files.copy(Recording.file("velo-19.json"), directory.resolve("branch.json"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--bootstrap", kafka.bootstrapServers(), "--run", "branch"));
    arguments.addAll(List.of("--last", "28", "--state", state.toString()));
    assertThat(TestingPython.live("taken.py", arguments).lines().toList())
        .isEqualTo(Recording.taken("branch", 20, 28));
    await("branch", "later");
  }

  @Test
  void itsRunOverTwoLanesCompletes() throws Exception {
    await("static", "recorded");
    try (var trainer = DigestingTrainer.attached(kafka, "static", Recording.state("static-3"))) {
      assertThat(trainer.train(12)).isEqualTo(Recording.taken("static", 4, 12));
    }
    await("static", "later");
    assertThat(does("run", "show", "static")).contains("completed");
    assertThat(report("audit", "--run", "static").get("duplicates").asInt())
        .as("what is written again")
        .isZero();
  }

  @Test
  void aCheckpointFromBeforeItsRewindStands() throws Exception {
    try (var reader = DigestingTrainer.observing(kafka, "velo", Recording.state("velo-13"))) {
      assertThat(reader.look(19)).isEqualTo(Recording.taken("velo", 14, 19));
    }
  }

  @Test
  void aCheckpointThatItsRewindLeftBehindIsRefused() {
    assertThatThrownBy(() -> DigestingTrainer.observing(kafka, "velo", Recording.state("velo-17")))
        .isInstanceOf(RewoundException.class)
        .hasMessageContaining("the run was rewound to batch 14 and goes on as timeline 1");
  }

  /** Waits until commands say of a run what they said then. */
  private static void await(String run, String when) throws IOException {
    JsonNode shown = Recording.expected(run, when, "show");
    JsonNode audited = Recording.expected(run, when, "audit");
    Patience.await(IDLE, () -> report("run", "show", run), report -> says(report, shown));
    Patience.await(IDLE, () -> report("audit", "--run", run), report -> says(report, audited));
  }

  private static boolean says(JsonNode report, JsonNode expected) {
    return expected.properties().stream()
        .allMatch(each -> each.getValue().equals(report.get(each.getKey())));
  }

  private static JsonNode report(String... command) {
    Path file = directory.resolve("report.json");
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of("--json", file.toString()));
    does(all.toArray(String[]::new));
    try {
      return new ObjectMapper().readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String does(String... command) {
    TestingSluice.Said said = sluice.run(command);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }
}
