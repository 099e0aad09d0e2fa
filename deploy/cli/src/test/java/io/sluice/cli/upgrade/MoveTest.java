package io.sluice.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.cli.upgrade.FlinkCluster.Listed;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each step of a move, and what is said when it fails. */
class MoveTest {
  private static final String OLD = "GET /jobs/" + TestingFlink.MIX;
  private static final String NEW = "GET /jobs/" + TestingFlink.NEXT;
  private static final String STOP = "POST /jobs/" + TestingFlink.MIX + "/stop";
  private static final String SAVEPOINT = OLD + "/savepoints/" + TestingFlink.REQUEST;
  private static final String RUN = "POST /jars/7_x.jar/run";
  private static final String WRITTEN =
      "{\"status\": {\"id\": \"COMPLETED\"}, \"operation\": {\"location\": \"file:/s/1\"}}";

  @TempDir private Path folder;
  private TestingFlink flink;
  private final List<String> said = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();

  @BeforeEach
  void start() throws IOException {
    flink = new TestingFlink();
  }

  @AfterEach
  void stop() {
    flink.close();
  }

  private void move() throws IOException {
    BoundedWait patience =
        new BoundedWait(
            Duration.ofSeconds(10), () -> nanos.addAndGet(1_000_000_000L), nanos::get, said::add);
    new Move(
            flink.cluster(),
            TestingFlink.jar(folder, "0.2.0", "2.2.1"),
            "7_x.jar",
            Map.of("a.b", "c"),
            patience,
            said::add)
        .make(
            new PlannedMove(
                new Listed(TestingFlink.MIX, "sluice mix", "RUNNING"),
                Optional.of("0.1.0"),
                List.of("mix", "--kafka", "old:1"),
                List.of("mix", "--kafka", "k:1"),
                1,
                2,
                "file:///s"));
  }

  private TestingFlink stops() {
    return flink
        .says(OLD, TestingFlink.standing("RUNNING", 1, 1))
        .says(OLD, TestingFlink.standing("FINISHED", 1, 1))
        .says(OLD + "/checkpoints", "{\"counts\": {\"completed\": 1}}")
        .says(OLD + "/exceptions", "{}")
        .says(STOP, 202, "{\"request-id\": \"" + TestingFlink.REQUEST + "\"}")
        .says(SAVEPOINT, "{\"status\": {\"id\": \"IN_PROGRESS\"}, \"operation\": null}")
        .says(SAVEPOINT, WRITTEN);
  }

  private String way() {
    return "  flink run -m "
        + flink.url().substring("http://".length())
        + " -d -s file:/s/1 -p 1 -Da.b=c sluice-jobs-0.1.0-flink.jar mix --kafka old:1";
  }

  @Test
  void waitsStopsStartsAndWaitsAgain() throws IOException {
    flink.says(OLD, TestingFlink.standing("RUNNING", 1, 0));
    flink.says(OLD + "/checkpoints", "{\"counts\": {\"completed\": 0}}");
    stops()
        .says(RUN, "{\"jobid\": \"" + TestingFlink.NEXT + "\"}")
        .says(NEW, TestingFlink.standing("RUNNING", 2, 1))
        .says(NEW, TestingFlink.standing("RUNNING", 2, 2))
        .says(NEW + "/exceptions", "{}")
        .says(NEW + "/checkpoints", "{\"counts\": {\"completed\": 0}}")
        .says(NEW + "/checkpoints", "{\"counts\": {\"completed\": 1}}");

    move();

    String old = "'sluice mix' (" + TestingFlink.MIX + ")";
    String next = "'sluice mix' (" + TestingFlink.NEXT + ")";
    assertThat(said)
        .containsExactly(
            "waits for all tasks of " + old + ": RUNNING, 0 of 1 tasks run",
            "waits for a checkpoint of " + old + ": none is complete",
            "waits for the savepoint of " + old + ": it is being written",
            old + " is stopped, with savepoint file:/s/1",
            "the job manager starts the jar, at parallelism 2",
            next + " starts from it, of release 0.2.0",
            "waits for all tasks of " + next + ": RUNNING, 1 of 2 tasks run",
            "waits for a checkpoint of " + next + ": none is complete",
            next + " runs, and has completed a checkpoint");
    assertThat(flink.bodies)
        .containsExactly(
            "{\"targetDirectory\":\"file:///s\",\"drain\":false}",
            "{\"programArgsList\":[\"mix\",\"--kafka\",\"k:1\"],\"parallelism\":2,\"flinkConfiguration\":{\"a.b\":\"c\"},\"savepointPath\":\"file:/s/1\",\"claimMode\":\"NO_CLAIM\",\"allowNonRestoredState\":false}");
  }

  @Test
  void aJobThatIsNotWellIsLeftAlone() {
    flink
        .says(OLD, TestingFlink.standing("RESTARTING", 1, 0))
        .says(
            OLD + "/exceptions",
            "{\"exceptionHistory\": {\"entries\": [{\"stacktrace\": \"a.b.TooBigException: no"
                + " room\\n"
                + "\\tat x\"}]}}");

    assertThatExceptionOfType(UnreachableException.class)
        .isThrownBy(this::move)
        .withMessageContaining("for 10s (--timeout): RESTARTING, 0 of 1 tasks run")
        .withMessageContaining("failed last with TooBigException: no room")
        .withMessageEndingWith("goes on as it was");
    assertThat(flink.asked).doesNotContain(STOP);
  }

  @Test
  void aSavepointThatFailsIsToldWithWhatRuns() {
    flink
        .says(OLD, TestingFlink.standing("RUNNING", 1, 1))
        .says(OLD + "/checkpoints", "{\"counts\": {\"completed\": 1}}")
        .says(OLD + "/exceptions", "{}")
        .says(STOP, 202, "{\"request-id\": \"" + TestingFlink.REQUEST + "\"}")
        .says(
            SAVEPOINT,
            "{\"status\": {\"id\": \"COMPLETED\"}, \"operation\": {\"failure-cause\":"
                + " {\"stack-trace\": \"x.Y: z\\n"
                + "Caused by: java.io.IOException: disk is full\"}}}");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(this::move)
        .withMessageContaining("below file:///s failed: IOException: disk is full")
        .withMessageContaining("is RUNNING, and goes on unless 'flink list -m ");
    assertThat(flink.asked).doesNotContain(RUN);
  }

  @Test
  void aJarThatDoesNotStartIsToldWithTheWayBack() {
    stops().says(RUN, 400, "{\"errors\": [\"no such file: /etc/client.properties\"]}");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(this::move)
        .withMessageContaining("no such file: /etc/client.properties")
        .withMessageEndingWith(
            "; nothing runs in place of 'sluice mix' (" + TestingFlink.MIX + ")");
    assertThat(said).endsWith("to go back to what ran before:", way());
  }

  @Test
  void aJobThatFailsIsToldWithTheWayBack() {
    stops()
        .says(RUN, "{\"jobid\": \"" + TestingFlink.NEXT + "\"}")
        .says(NEW, TestingFlink.standing("FAILED", 2, 0))
        .says(NEW + "/exceptions", "{}");

    assertThatExceptionOfType(CheckFailedException.class)
        .isThrownBy(this::move)
        .withMessageContaining("is FAILED; 'sluice mix' (" + TestingFlink.NEXT + ") was started");
    assertThat(said)
        .endsWith(
            "to go back to what ran before:",
            "  flink cancel -m "
                + flink.url().substring("http://".length())
                + " "
                + TestingFlink.NEXT,
            way());
  }

  @Test
  void aJobManagerThatIsAwayForAWhileIsWaitedFor() throws IOException {
    flink.says(OLD, 503, "{}");
    stops()
        .says(RUN, "{\"jobid\": \"" + TestingFlink.NEXT + "\"}")
        .says(NEW, TestingFlink.standing("RUNNING", 2, 2))
        .says(NEW + "/checkpoints", "{\"counts\": {\"completed\": 1}}");

    move();

    assertThat(said.get(0)).contains("has no job manager that answers: HTTP status 503");
    assertThat(said).last().asString().endsWith("runs, and has completed a checkpoint");
  }
}
