package io.sluice.service.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.purge.Purges;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Purge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;

class DatasetJobsTest {
  private static final String PREPARING = "preparing dataset a: wiki";

  private final List<String> events = new ArrayList<>();
  private final List<String> stopped = new ArrayList<>();
  private final TestingRunner runner = new TestingRunner();
  private String topicsFailWith = "";
  private long now;
  private final DatasetJobs jobs =
      new DatasetJobs(
          runner,
          KafkaAccess.local("unused:9092"),
          new Preparation(1, 1, SourceRoots.NONE),
          this::makeTopics,
          new PurgeHold((purge, dataset) -> stopped.add(purge.getId() + " " + dataset)),
          () -> now,
          events::add);

  @Test
  void aStartThatFailedIsTriedAgainAfterPausesThatGrow() {
    topicsFailWith = "no broker answers";
    jobs.apply(dataset(8));
    assertThat(events)
        .containsExactly(
            "dataset a cannot be prepared: no broker answers; it is tried again in 1 s, and then"
                + " once a minute at least");

    pass(Duration.ofMillis(999));
    topicsFailWith = "";
    jobs.look();
    assertThat(runner.started).isEmpty();
    pass(Duration.ofMillis(1));
    jobs.look();
    jobs.look();
    assertThat(runner.started).containsExactly("sluice.prepare-a");
    assertThat(events).hasSize(2).endsWith(PREPARING);
  }

  @Test
  void aReasonIsToldOnceAndPausesDoNotGrowBeyondAMinute() {
    runner.failsWith = "no slots";
    jobs.apply(dataset(8));
    for (int second = 0; second < 600; second++) {
      pass(Duration.ofSeconds(1));
      jobs.look();
    }
    // After 1, 3, 7, 15, 31 and 63 s, then each minute.
    assertThat(runner.tries).isEqualTo(1 + 6 + 8);
    assertThat(events).hasSize(1);
    runner.failsWith = "another reason";
    pass(Duration.ofMinutes(1));
    jobs.look();
    assertThat(events).hasSize(2);
  }

  @Test
  void aSpecificationThatComesAgainStartsNothingTwice() {
    jobs.apply(dataset(8));
    jobs.apply(dataset(8));
    pass(Duration.ofHours(1));
    jobs.look();
    assertThat(runner.started).hasSize(1);
    jobs.apply(dataset(16));
    assertThat(runner.started).hasSize(2);
    assertThat(runner.cancelled).isEqualTo(1);
    assertThat(events).containsExactly(PREPARING, PREPARING);
  }

  @Test
  void aJobOfTheSpecificationBeforeRunsOnUntilTheTopicsOfTheNextAreThere() {
    jobs.apply(dataset(8));
    topicsFailWith = "no broker answers";
    jobs.apply(dataset(16));
    assertThat(runner.cancelled).isZero();
    topicsFailWith = "";
    pass(Duration.ofSeconds(1));
    jobs.look();
    assertThat(runner.cancelled).isEqualTo(1);
    assertThat(runner.started).hasSize(2);
  }

  @Test
  void aJobThatHasEndedIsReportedOnce() {
    jobs.apply(dataset(8));
    runner.status = JobStatus.FAILED;
    jobs.look();
    jobs.look();
    assertThat(events).containsExactly(PREPARING, "dataset a is no longer prepared; it broke");
  }

  @Test
  void aJobThatRestartsAgainAndAgainIsReportedOnceAndWhenItRunsAgain() {
    jobs.apply(dataset(8));
    runFor(60, JobStatus.RUNNING, JobStatus.RESTARTING);
    assertThat(events)
        .containsExactly(
            PREPARING,
            "preparing dataset a does not go on: its job has restarted again and again for 20 s,"
                + " and is still tried; it broke");
    runFor(19, JobStatus.RUNNING, JobStatus.RUNNING);
    assertThat(events).hasSize(2);
    runFor(2, JobStatus.RUNNING, JobStatus.RUNNING);
    assertThat(events).hasSize(3).endsWith("preparing dataset a goes on");
  }

  @Test
  void restartsThatFollowALongTimeOfRunningAreNoLoop() {
    jobs.apply(dataset(8));
    for (int i = 0; i < 5; i++) {
      runFor(10, JobStatus.RESTARTING, JobStatus.RESTARTING);
      runFor(21, JobStatus.RUNNING, JobStatus.RUNNING);
    }
    assertThat(events).containsExactly(PREPARING);
  }

  @Test
  void aPurgeHasAJobStoppedUntilItIsDone() {
    jobs.apply(dataset(8));
    jobs.purging(Optional.of(purge("p", Purges.COPYING, List.of("a"))));
    jobs.look();
    assertThat(runner.cancelled).isEqualTo(1);
    assertThat(stopped).isEmpty();

    runner.status = JobStatus.CANCELED;
    jobs.look();
    jobs.apply(dataset(8));
    jobs.purging(Optional.of(purge("p", Purges.REPLACING, List.of("a"))));
    jobs.look();
    assertThat(stopped).containsExactly("p a");
    assertThat(runner.started).hasSize(1);

    runner.status = JobStatus.RUNNING;
    jobs.purging(Optional.empty());
    jobs.look();
    jobs.look();
    assertThat(runner.started).hasSize(2);
    assertThat(runner.cancelled).isEqualTo(1);
    assertThat(events)
        .containsExactly(
            PREPARING, "dataset a is not prepared while documents are purged", PREPARING);
  }

  @Test
  void nothingStartsWhileAPurgeGoesOnAndAJobThatNeverRanHasStopped() {
    jobs.purging(Optional.of(purge("p", Purges.COPYING, List.of("a"))));
    jobs.apply(dataset(8));
    topicsFailWith = "no broker answers";
    jobs.look();
    assertThat(runner.tries).isZero();
    assertThat(stopped).containsExactly("p a");
    assertThat(events).isEmpty();
  }

  @Test
  void aJobWhoseTransactionWasAbortedStartsWithoutItsState() {
    jobs.apply(dataset(8));
    Purge purge = purge("p", Purges.COPYING, List.of("a"));
    jobs.purging(Optional.of(purge));
    runner.status = JobStatus.CANCELED;
    jobs.look();
    purge.setAfresh(List.of("a"));
    jobs.purging(Optional.of(purge));
    jobs.purging(Optional.empty());
    jobs.look();
    jobs.apply(dataset(16));
    assertThat(runner.started)
        .containsExactly("sluice.prepare-a", "sluice.prepare-a afresh", "sluice.prepare-a");
  }

  @Test
  void aDatasetThatOnlyReadsADomainOfThePurgeIsHeldToo() {
    jobs.purging(Optional.of(purge("p", Purges.COPYING, List.of("others"))));
    jobs.apply(dataset(8));
    jobs.look();
    assertThat(runner.started).isEmpty();
    jobs.purging(Optional.empty());
    jobs.look();
    assertThat(runner.started).hasSize(1);
  }

  @Test
  void aDatasetThatIsDeletedHasItsJobEnded() {
    jobs.apply(dataset(8));
    jobs.delete("a");
    jobs.look();
    assertThat(runner.cancelled).isEqualTo(1);
    assertThat(jobs.hasLeft("a")).as("before its job has ended").isFalse();
    runner.status = JobStatus.CANCELED;
    jobs.look();
    jobs.look();
    assertThat(jobs.hasLeft("a")).isTrue();
    pass(Duration.ofHours(1));
    jobs.look();
    assertThat(runner.started).hasSize(1);
    assertThat(events).containsExactly(PREPARING, "dataset a is deleted");
  }

  @Test
  void oneThatIsPutBackGoesOnOnceItsJobHasEnded() {
    jobs.apply(dataset(8));
    jobs.delete("a");
    jobs.apply(dataset(8));
    jobs.look();
    assertThat(runner.started).hasSize(1);
    runner.status = JobStatus.CANCELED;
    jobs.look();
    assertThat(jobs.hasLeft("a")).isTrue();
    assertThat(runner.started).containsExactly("sluice.prepare-a", "sluice.prepare-a");
  }

  @Test
  void aDatasetThatWasNeverPreparedLeavesAtOnce() {
    jobs.delete("a");
    assertThat(jobs.hasLeft("a")).isFalse();
    jobs.look();
    assertThat(jobs.hasLeft("a")).isTrue();
    assertThat(events).isEmpty();
  }

  private static Purge purge(String id, String phase, List<String> datasets) {
    return new Purge(id, phase, List.of(), List.of("wiki"), datasets, List.of(), List.of(), 0L);
  }

  private void runFor(int seconds, JobStatus even, JobStatus odd) {
    for (int second = 0; second < seconds; second++) {
      pass(Duration.ofSeconds(1));
      runner.status = second % 2 == 0 ? even : odd;
      jobs.look();
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void makeTopics(DatasetSpec spec) {
    if (!topicsFailWith.isEmpty()) {
      throw new IllegalStateException(topicsFailWith);
    }
  }

  private static DatasetSpec dataset(int sequenceLength) {
    return DatasetSpecs.resolve(
        new DatasetSettings("a", "bytes", sequenceLength, 1, 7, 0, List.of("wiki"), 1));
  }
}
