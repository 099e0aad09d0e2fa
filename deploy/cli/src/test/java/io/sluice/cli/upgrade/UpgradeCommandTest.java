package io.sluice.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradeCommandTest {
  private static final String ARGUMENTS = "[\"mix\", \"--kafka\", \"k:1\"]";

  @TempDir private Path folder;
  private String jar;

  @BeforeEach
  void makeJar() throws IOException {
    jar = TestingFlink.jar(folder, "0.2.0", "2.2.1").file().toString();
  }

  private Said upgrade(String... options) {
    List<String> command = new ArrayList<>(List.of("upgrade", "--jar", jar));
    command.addAll(List.of(options));
    return new TestingSluice(KafkaAccess.local("k:1"), folder).run(command.toArray(String[]::new));
  }

  @Test
  void withoutFlinkItPrintsTheSteps() {
    Said said = upgrade("--savepoint-dir", "s3://b/s", "--parallelism", "4");

    assertThat(said.err()).isEmpty();
    assertThat(said.out().lines())
        .contains(
            "# sluice mix, to release 0.2.0, built for Flink 2.2.1",
            "flink list",
            "flink stop --savepointPath s3://b/s JOB",
            "flink run -d -s SAVEPOINT -p 4 " + jar + " mix --kafka k:1 --prefix sluice.",
            "kubectl patch flinkdeployment sluice-mix --type merge -p '{\"spec\": {\"image\":"
                + " \"sluice-jobs:0.2.0\", \"job\": {\"upgradeMode\": \"savepoint\","
                + " \"parallelism\": 4}}}'");
  }

  @Test
  void theStepsAreOfTheJobsThatAreNamed() {
    Said said = upgrade("--job", "prepare My_set", "--job", "refine topics");

    assertThat(said.out())
        .contains("prepare --kafka k:1 --prefix sluice. --dataset My_set")
        .contains("flinkdeployment sluice-prepare-my-set-c60ae6f2 --type")
        .contains("refine --kafka k:1 --prefix sluice. --refinery topics");
    assertThat(upgrade("--", "mix", "--kafka", "other:1").out()).contains("mix --kafka other:1\n");
  }

  @Test
  void theStepsAreOfTheJobThatTheArgumentsStart() {
    assertThat(upgrade("--", "prepare", "--dataset", "x").out())
        .contains("# sluice prepare x, to release")
        .contains("flinkdeployment sluice-prepare-x --type")
        .doesNotContain("mix");
    assertThat(upgrade("--job", "refine a", "--", "refine", "--refinery=a").exit()).isZero();
    assertThat(upgrade("--", "mix", "--kafka", "k:1", "--prefix", "team-b.").out())
        .contains("flinkdeployment team-b-mix --type");
  }

  @ParameterizedTest
  @CsvSource({
    "team-a., mix, team-a-mix",
    "Team_X., mix, team-x-mix-89a3cf81",
    "Team_X., prepare A_b, team-x-prepare-a-b-1157a225",
    "sluice., prepare small, sluice-prepare-small",
    "a.:b., mix, a-mix",
  })
  void deploymentsAreCalledAsThePlanCallsThem(String prefix, String job, String deployment) {
    Said said = upgrade("--prefix", prefix, "--job", job);

    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("kubectl patch flinkdeployment " + deployment + " --type")
        .contains(" flinkdeployment/" + deployment + "\n")
        .contains(" --prefix " + prefix);
  }

  @Test
  void theStepsHaveTheOptions() {
    assertThat(upgrade("--option", "a.b=c \"d\"").out())
        .contains("flink run -d -s SAVEPOINT -p PARALLELISM '-Da.b=c \"d\"' " + jar)
        .contains("\"flinkConfiguration\": {\"a.b\": \"c \\\"d\\\"\"}, \"job\":");
  }

  @ParameterizedTest
  @CsvSource({
    "--parallelism 0, --parallelism must be from 1 to 32768: 0",
    "--flink http://a --timeout 5s, --timeout must be from 10s to 1d: '5s'",
    "--flink http://a --timeout soon, --timeout must be a time such as",
    "--flink a:8081, --flink must be http://HOST:PORT",
    "--dry-run, --dry-run must stand with --flink",
    "--job stir, --job must be mix",
    "--job mix --job mix -- mix, arguments are of one job",
    "--job mix -- prepare --dataset x, '--job must be the job that the arguments start, ''prepare x'': ''mix'''",
    "-- stir, 'arguments must begin with mix, prepare or refine: ''stir'''",
    "-- prepare --kafka k:1, arguments of prepare must have --dataset: prepare --kafka k:1",
    "-- mix --prefix a/b, '--prefix of the arguments: prefix must be at most 64'",
    "--option a --flink http://a, Value for option option '--option' (KEY=VALUE) should be in",
  })
  void refusesWhatItCannotDo(String options, String reason) {
    Said said = upgrade(options.split(" "));
    assertThat(said.exit()).isEqualTo(2);
    assertThat(said.err()).contains(reason);
  }

  @Test
  void aFlinkThatIsNotThereIsSaidAsSuch() {
    Said said = upgrade("--flink", "http://127.0.0.1:1");
    assertThat(said.exit()).isEqualTo(3);
    assertThat(said.err()).contains("sluice: Flink is unreachable at http://127.0.0.1:1: ");
  }

  @Test
  void aDryRunLooksAndLeavesAll() throws IOException {
    try (TestingFlink flink = new TestingFlink().mixes("2.2.1", "0.1.0", ARGUMENTS).plans(2)) {
      Said said = upgrade("--flink", flink.url(), "--dry-run");

      assertThat(said.err()).isEmpty();
      assertThat(said.out().lines())
          .containsExactly(
              "sluice: Flink 2.2.1 at " + flink.url() + " runs " + jar + ", built for 2.2.1",
              "sluice: 'sluice mix' ("
                  + TestingFlink.MIX
                  + "): release 0.1.0 to 0.2.0, parallelism 2, as it is, savepoint below"
                  + " file:///savepoints, arguments: mix --kafka k:1",
              "sluice: their plans are made, and there is room; nothing was stopped: --dry-run");
      assertThat(flink.asked)
          .filteredOn(question -> !question.startsWith("GET "))
          .containsExactly("POST /jars/upload", "POST /jars/7_x.jar/plan", "DELETE /jars/7_x.jar");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--dry-run", "--timeout=10s"})
  void whatFlinkWouldNotStartIsNotStopped(String option) throws IOException {
    try (TestingFlink flink = new TestingFlink()) {
      flink.says("POST /jars/7_x.jar/plan", 500, "{\"errors\": [\"a.b.NoException: must be so\"]}");
      flink.mixes("2.2.1", "0.1.0", ARGUMENTS);
      flink.says("POST /jars/upload", "{\"filename\": \"/tmp/x/7_x.jar\"}");
      flink.says("DELETE /jars/7_x.jar", "{}");
      Said said = upgrade("--flink", flink.url(), option);

      assertThat(said.exit()).isEqualTo(1);
      assertThat(said.err())
          .contains("HTTP status 500: NoException: must be so; 'sluice mix' (")
          .contains("goes on as it was");
      assertLeftAlone(flink);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"--dry-run", "--timeout=10s"})
  void whatHasNoRoomIsNotStopped(String option) throws IOException {
    try (TestingFlink flink = new TestingFlink().mixes("2.2.1", "0.1.0", ARGUMENTS).plans(50)) {
      Said said = upgrade("--flink", flink.url(), "--parallelism", "50", option);

      assertThat(said.exit()).isEqualTo(1);
      assertThat(said.err())
          .contains(
              " needs 50 slots of Flink, as many as its parallelism, and 4 are there for it: 2"
                  + " that it holds and 2 that are free, of 4 in all; --parallelism must be at most"
                  + " 4, or further task managers must run")
          .contains("goes on as it was");
      assertLeftAlone(flink);
    }
  }

  private static void assertLeftAlone(TestingFlink flink) {
    assertThat(flink.asked)
        .noneMatch(question -> question.endsWith("/stop"))
        .last()
        .isEqualTo("DELETE /jars/7_x.jar");
  }
}
