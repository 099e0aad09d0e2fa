package io.sluice.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.cli.upgrade.Planning.Wanted;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanningTest {
  private static final String ARGUMENTS = "[\"mix\", \"--kafka\", \"k:1\"]";
  private static final Wanted ALL =
      new Wanted(List.of(), Optional.empty(), Optional.empty(), Map.of(), List.of());

  @TempDir private Path folder;
  private TestingFlink flink;

  @BeforeEach
  void start() throws IOException {
    flink = new TestingFlink();
  }

  @AfterEach
  void stop() {
    flink.close();
  }

  private List<PlannedMove> moves(Wanted wanted) throws IOException {
    FlinkCluster cluster = flink.cluster();
    JobsJar jar = TestingFlink.jar(folder, "0.2.0", "2.2.1");
    return new Planning(cluster, jar, wanted).moves(cluster.release());
  }

  private static Wanted of(String... jobs) {
    return new Wanted(List.of(jobs), Optional.empty(), Optional.empty(), Map.of(), List.of());
  }

  private static Wanted started(List<String> jobs, String... arguments) {
    return new Wanted(
        jobs, Optional.empty(), Optional.of("s3://b/s"), Map.of(), List.of(arguments));
  }

  @Test
  void takesWhatTheJobSaysOfItself() throws IOException {
    flink.mixes("2.2.0", "0.1.0", ARGUMENTS);

    PlannedMove move = moves(ALL).get(0);

    assertThat(move.arguments()).containsExactly("mix", "--kafka", "k:1");
    assertThat(move.release()).contains("0.1.0");
    assertThat(move.before()).isEqualTo(2);
    assertThat(move.after()).isEqualTo(2);
    assertThat(move.savepoints()).isEqualTo("file:///savepoints");
    assertThat(move.line(TestingFlink.jar(folder, "0.2.0", "2.2.1")))
        .isEqualTo(
            "'sluice mix' ("
                + TestingFlink.MIX
                + "): release 0.1.0 to 0.2.0, parallelism 2, as it is, savepoint below"
                + " file:///savepoints, arguments: mix --kafka k:1");
  }

  @Test
  void takesWhatIsAskedForInstead() throws IOException {
    flink.mixes("2.2.0", "0.2.0", ARGUMENTS);

    PlannedMove move =
        moves(
                new Wanted(
                    List.of("mix"),
                    Optional.of(4),
                    Optional.of("s3://b/s"),
                    Map.of(),
                    List.of("mix", "--kafka", "it's")))
            .get(0);

    assertThat(move.after()).isEqualTo(4);
    assertThat(move.argumentsBefore()).containsExactly("mix", "--kafka", "k:1");
    assertThat(move.line(TestingFlink.jar(folder, "0.2.0", "2.2.1")))
        .contains("parallelism 2 to 4, savepoint below s3://b/s")
        .endsWith("mix --kafka 'it'\\''s'");
  }

  @Test
  void anotherSeriesOfFlinkIsRefused() {
    flink.mixes("2.1.0", "0.1.0", ARGUMENTS);

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> moves(ALL))
        .withMessageContaining("is 2.1.0")
        .withMessageContaining("is built for 2.2.1");
  }

  @Test
  void aFlinkThatTakesNoJarsIsRefused() {
    flink.says(
        "GET /config", "{\"flink-version\": \"2.2.1\", \"features\": {\"web-submit\": false}}");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> moves(ALL))
        .withMessageContaining("takes no jars (web.submit.enable is false)");
  }

  @Test
  void anOlderJarIsRefused() {
    flink.mixes("2.2.1", "0.3.0", ARGUMENTS);

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> moves(ALL))
        .withMessageContaining("is of release 0.3.0")
        .withMessageContaining("an older job does not read a newer one's state");
  }

  @Test
  void withoutArgumentsAnEarlierReleasesJobIsRefused() {
    flink.mixes("2.2.1", "0.1.0", ARGUMENTS);
    TestingFlink earlier = flink;
    earlier.says("GET /jobs/" + TestingFlink.MIX + "/config", "{}");
    earlier.rest().get("/jobs/" + TestingFlink.MIX + "/config");

    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(ALL))
        .withMessageContaining("must be given behind '--'");
  }

  @Test
  void withoutAFolderForCheckpointsNothingIsMoved() {
    flink.says("GET /jobmanager/config", "[{\"key\": \"a\", \"value\": \"b\"}]");
    flink.says(
        "GET /jobs/" + TestingFlink.MIX + "/checkpoints",
        "{\"latest\": {\"completed\": {\"external_path\": \"s3://b/c/%s/chk-7\"}}}"
            .formatted(TestingFlink.MIX));
    flink.mixes("2.2.1", "0.1.0", ARGUMENTS);

    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(started(List.of())))
        .withMessageStartingWith(
            "--option execution.checkpointing.dir=s3://b/c must be given for 'sluice mix' (")
        .withMessageContaining("the cluster's configuration has none");
  }

  @Test
  void whereCheckpointsAreIsSaidOnlyIfItIsKnown() {
    flink.says("GET /jobmanager/config", "[{\"key\": \"a\", \"value\": \"b\"}]");
    flink.mixes("2.2.1", "0.1.0", ARGUMENTS);

    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(started(List.of())))
        .withMessageStartingWith("--option execution.checkpointing.dir=URI must be given for ");
  }

  @Test
  void anOptionSaysWhereCheckpointsGo() throws IOException {
    flink.says("GET /jobmanager/config", "[{\"key\": \"a\", \"value\": \"b\"}]");
    flink.mixes("2.2.1", "0.1.0", ARGUMENTS);
    Map<String, String> options = Map.of("execution.checkpointing.dir", "s3://b/c");

    assertThat(
            moves(
                new Wanted(
                    List.of(), Optional.empty(), Optional.of("s3://b/s"), options, List.of())))
        .hasSize(1);
  }

  @Test
  void argumentsAreOfTheJobThatTheyStart() throws IOException {
    flink.mixes("2.2.1", "0.1.0", ARGUMENTS);

    assertThat(moves(started(List.of(), "mix", "--kafka", "k:2"))).hasSize(1);
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(started(List.of(), "prepare", "--dataset", "x")))
        .withMessageContaining("--job 'prepare x' does not run, but 'sluice mix'");
    for (String job : List.of("mix", TestingFlink.MIX)) {
      assertThatExceptionOfType(BadInputException.class)
          .isThrownBy(() -> moves(started(List.of(job), "prepare", "--dataset=x")))
          .withMessage(
              "--job must be the job that the arguments start, 'prepare x': 'sluice mix' ("
                  + TestingFlink.MIX
                  + ")");
    }
  }

  @Test
  void whatIsNotThereIsNotMoved() {
    flink.mixes("2.2.1", "0.1.0", ARGUMENTS);

    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(of("prepare small")))
        .withMessageContaining("--job 'prepare small' does not run, but 'sluice mix'");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(of("stir")))
        .withMessageContaining("--job must be mix, 'prepare DATASET'");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(of(TestingFlink.NEXT)))
        .withMessageContaining("does not run");
  }

  @Test
  void severalJobsAreTakenMixFirstAndNamesMustBeClear() throws IOException {
    String other = "d".repeat(32);
    flink.says("GET /config", "{\"flink-version\": \"2.2.1\"}");
    flink.says(
        "GET /jobs/overview",
        "{\"jobs\": ["
            + String.join(
                ", ",
                TestingFlink.job(other, "sluice prepare small", "RUNNING"),
                TestingFlink.job("e".repeat(32), "somebody's", "RUNNING"),
                TestingFlink.job("f".repeat(32), "sluice mix", "CANCELED"),
                TestingFlink.job(TestingFlink.MIX, "sluice mix", "RUNNING"))
            + "]}");
    flink.mixes("2.2.1", "0.1.0", ARGUMENTS);
    flink.says(
        "GET /jobs/" + other + "/config",
        "{\"execution-config\": {\"user-config\": {\"sluice.version\": \"0.1.0\","
            + " \"sluice.arguments\": \"[\\\"prepare\\\"]\"}}}");
    flink.says("GET /jobs/" + other, TestingFlink.standing("RUNNING", 1, 1));

    assertThat(moves(ALL))
        .extracting(move -> move.job().name())
        .containsExactly("sluice mix", "sluice prepare small");
  }

  @Test
  void twoOfOneNameAreToldApartByTheirIds() {
    flink.says("GET /config", "{\"flink-version\": \"2.2.1\"}");
    flink.says(
        "GET /jobs/overview",
        "{\"jobs\": ["
            + TestingFlink.job(TestingFlink.MIX, "sluice mix", "RUNNING")
            + ", "
            + TestingFlink.job(TestingFlink.NEXT, "sluice mix", "RUNNING")
            + "]}");

    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> moves(ALL))
        .withMessageStartingWith("--job must be an id, for several jobs are called 'sluice mix'");
  }

  @Test
  void aJobWhoseIdIsNoneIsAnOddAnswer() {
    flink.says("GET /config", "{\"flink-version\": \"2.2.1\"}");
    flink.says(
        "GET /jobs/overview",
        "{\"jobs\": [" + TestingFlink.job("../../jars", "sluice mix", "RUNNING") + "]}");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(() -> moves(ALL))
        .withMessageContaining("must have jid as a text like [0-9a-f]{32}");
  }
}
