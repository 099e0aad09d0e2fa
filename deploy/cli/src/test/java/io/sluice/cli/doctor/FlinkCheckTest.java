package io.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.doctor.FlinkCheck.Job;
import io.sluice.cli.upgrade.TestingFlink;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FlinkCheckTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Instant LATELY = NOW.minusSeconds(2);
  private static final Instant LONG_AGO = NOW.minus(Duration.ofMinutes(10));
  private static final String PREPARE = "sluice prepare small";
  private static final String ID = "a".repeat(32);
  private static final String OTHER = "b".repeat(32);

  private TestingFlink flink;
  private FlinkCheck check;

  @BeforeEach
  void start() throws IOException {
    flink = new TestingFlink();
    check =
        new FlinkCheck(
            new Brokers(KafkaAccess.local("unused:1"), Duration.ofSeconds(1)),
            flink.rest(),
            InstantSource.fixed(NOW));
  }

  @AfterEach
  void stop() {
    flink.close();
  }

  @Test
  void jobsThatRunWithNewCheckpointsAreWell() {
    assertThat(check.of(List.of(PREPARE), List.of(job(PREPARE, "RUNNING", LATELY, "")), NOW))
        .containsExactly(
            Finding.ok("Flink", "1 jobs run at " + flink.url() + ", checkpoints at most 2 s old"));
  }

  @Test
  void aJobThatIsNotThereOrTwiceIsNamed() {
    List<Finding> findings =
        check.of(
            List.of("sluice mix", PREPARE),
            List.of(
                job("sluice mix", "RUNNING", LATELY, ""), job("sluice mix", "RUNNING", LATELY, "")),
            NOW);
    assertThat(findings)
        .extracting(Finding::verdict)
        .containsExactly(Verdict.WARNING, Verdict.FAILURE);
    assertThat(findings.get(0).found()).startsWith("2 jobs are called 'sluice mix': [" + ID);
    assertThat(findings.get(1).found())
        .isEqualTo("no job '" + PREPARE + "' runs at " + flink.url());
    assertThat(findings.get(1).help()).contains("-flink.jar prepare …");
  }

  @Test
  void aJobThatDoesNotRunOrHasNoNewCheckpointSaysWhy() {
    Job begun = new Job(ID, PREPARE, "RUNNING", LONG_AGO, Optional.empty(), "");
    assertThat(
            check.of(
                List.of(),
                List.of(
                    job(PREPARE, "RESTARTING", LATELY, "IllegalStateException: no room"),
                    job(PREPARE, "RUNNING", LONG_AGO, ""),
                    begun),
                NOW))
        .extracting(Finding::found)
        .containsExactly(
            "'sluice prepare small' (" + ID + ") is RESTARTING: IllegalStateException: no room",
            "'sluice prepare small' ("
                + ID
                + ") has completed its last checkpoint 10 min ago: what it has written since is"
                + " read by nobody",
            "'sluice prepare small' ("
                + ID
                + ") has completed no checkpoint since it began 10 min ago: what it has written"
                + " since is read by nobody");
  }

  @Test
  void jobsOfOtherPrefixesAreOthers() {
    flink
        .says(
            "GET /jobs/overview",
            "{\"jobs\": ["
                + listed(ID, "sluice mix", "RUNNING")
                + ","
                + listed(OTHER, "sluice mix", "RUNNING")
                + ","
                + listed("c".repeat(32), "sluice mix", "CANCELED")
                + ","
                + listed("d".repeat(32), "of others", "RUNNING")
                + "]}")
        .says("GET /jobs/" + ID + "/config", config("[\\\"mix\\\"]"))
        .says(
            "GET /jobs/" + OTHER + "/config",
            config("[\\\"mix\\\", \\\"--prefix\\\", \\\"team.\\\"]"))
        .says(
            "GET /jobs/" + ID + "/checkpoints",
            "{\"latest\": {\"completed\": {\"latest_ack_timestamp\": %d}}}"
                .formatted(LATELY.toEpochMilli()));
    assertThat(check.jobs())
        .containsExactly(new Job(ID, "sluice mix", "RUNNING", LONG_AGO, Optional.of(LATELY), ""));
  }

  private static String listed(String id, String name, String state) {
    return "{\"jid\": \"%s\", \"name\": \"%s\", \"state\": \"%s\", \"start-time\": %d}"
        .formatted(id, name, state, LONG_AGO.toEpochMilli());
  }

  private static String config(String arguments) {
    return "{\"execution-config\": {\"user-config\": {\"sluice.version\": \"1\", \"sluice.arguments\": \"%s\"}}}"
        .formatted(arguments);
  }

  private static Job job(String name, String state, Instant checkpoint, String failure) {
    return new Job(ID, name, state, LONG_AGO, Optional.of(checkpoint), failure);
  }
}
