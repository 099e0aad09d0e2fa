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

class UpgradeCommandTest {
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
        .contains("flinkdeployment sluice-prepare-my-set --type")
        .contains("refine --kafka k:1 --prefix sluice. --refinery topics");
    assertThat(upgrade("--", "mix", "--kafka", "other:1").out()).contains("mix --kafka other:1\n");
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
    try (TestingFlink flink =
        new TestingFlink().mixes("2.2.1", "0.1.0", "[\"mix\", \"--kafka\", \"k:1\"]")) {
      Said said = upgrade("--flink", flink.url(), "--dry-run");

      assertThat(said.err()).isEmpty();
      assertThat(said.out().lines())
          .containsExactly(
              "sluice: Flink 2.2.1 at " + flink.url() + " runs " + jar + ", built for 2.2.1",
              "sluice: 'sluice mix' ("
                  + TestingFlink.MIX
                  + "): release 0.1.0 to 0.2.0, parallelism 2, as it is, savepoint below"
                  + " file:///savepoints, arguments: mix --kafka k:1",
              "sluice: nothing was done: --dry-run");
      assertThat(flink.asked).allMatch(question -> question.startsWith("GET "));
    }
  }
}
