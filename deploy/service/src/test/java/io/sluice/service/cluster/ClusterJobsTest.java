package io.sluice.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.flink.FlinkSettings;
import io.sluice.service.flink.JobGraphs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterJobsTest {
  private final TestingJobManager manager = new TestingJobManager();
  private final List<String> events = new ArrayList<>();

  @TempDir private Path directory;

  private ClusterJobs jobs;

  @BeforeEach
  void open() {
    JobGraphs graphs = new JobGraphs(FlinkSettings.in(directory), Duration.ofSeconds(2));
    jobs = new ClusterJobs(manager, graphs, events::add);
  }

  @Test
  void submitsAJobOnceHoweverOftenItLooks() {
    WantedJob job = jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    jobs.reconcile();
    assertThat(manager.submitted).hasSize(1);
    assertThat(job.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(events).containsExactly("job mix starts");
  }

  @Test
  void givesAJobManagerThatLostEverythingItsJobsFromTheirLatestCheckpoints() throws IOException {
    jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.run("prepare", ClusterJobsTest::pipeline);
    jobs.reconcile();
    checkpoint("mix", 7);
    manager.forget();
    manager.reachable = false;
    jobs.reconcile();
    assertThat(manager.submitted).hasSize(2);
    manager.reachable = true;
    jobs.reconcile();
    assertThat(manager.submitted).hasSize(4);
    assertThat(restored(manager.submitted.get(2))).endsWith("chk-7/");
    assertThat(events).endsWith("job mix goes on from chk-7", "job prepare starts");
  }

  @Test
  void cancelsTheLaterOfTwoJobsOfAName() {
    jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    JobID first = manager.submitted.get(0).getJobID();
    JobID copy = new JobID();
    manager.add(copy, "mix");
    jobs.reconcile();
    assertThat(manager.state(first)).isEqualTo(JobStatus.RUNNING);
    assertThat(manager.state(copy)).isEqualTo(JobStatus.CANCELLING);
    assertThat(events).endsWith("job mix runs twice; the later one is cancelled");
  }

  @Test
  void leavesOtherPeoplesJobsAlone() {
    JobID theirs = new JobID();
    manager.add(theirs, "theirs");
    jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    assertThat(manager.state(theirs)).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void saysWhyAJobHasFailedAndDoesNotSubmitItAtOnce() {
    WantedJob job = jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    manager.move(manager.submitted.get(0).getJobID(), JobStatus.FAILED);
    jobs.reconcile();
    jobs.reconcile();
    assertThat(manager.submitted).hasSize(1);
    assertThat(job.status()).isEqualTo(JobStatus.FAILED);
    assertThat(events)
        .containsExactly(
            "job mix starts",
            "job mix has ended; it failed with an exception; it is submitted again in 1 s");
  }

  @Test
  void knowsWhyAJobRestarts() {
    WantedJob job = jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    assertThat(job.reason()).isEmpty();
    manager.move(manager.submitted.get(0).getJobID(), JobStatus.RESTARTING);
    jobs.reconcile();
    assertThat(job.status()).isEqualTo(JobStatus.RESTARTING);
    assertThat(job.reason()).isEqualTo("; it failed with an exception");
  }

  @Test
  void anotherJobOfTheNameStartsOnlyWhenTheOneBeforeHasEnded() {
    WantedJob before = jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    JobID first = manager.submitted.get(0).getJobID();
    before.cancel();
    jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    jobs.reconcile();
    assertThat(manager.state(first)).isEqualTo(JobStatus.CANCELLING);
    assertThat(manager.submitted).hasSize(1);
    manager.move(first, JobStatus.CANCELED);
    jobs.reconcile();
    assertThat(manager.submitted).hasSize(2);
  }

  @Test
  void goesOnFromASavepointRatherThanFromALaterCheckpoint() throws IOException {
    WantedJob before = jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    jobs.reconcile();
    checkpoint("mix", 9);
    jobs.restartFromSavepoint(before, directory.resolve("savepoints"), ClusterJobsTest::pipeline);
    jobs.reconcile();
    assertThat(restored(manager.submitted.get(1))).endsWith("savepoints/savepoint-1");
    assertThat(events).endsWith("job mix goes on from savepoint-1");
  }

  @Test
  void beginsAfreshOnceTheJobBeforeHasEnded() throws IOException {
    WantedJob before = jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    JobID first = manager.submitted.get(0).getJobID();
    Path left = checkpoint(directory.resolve("checkpoints/mix"), first, 9, "");
    jobs.restartAfresh(before, ClusterJobsTest::pipeline);
    jobs.reconcile();
    assertThat(left).exists();
    manager.move(first, JobStatus.CANCELED);
    jobs.reconcile();
    assertThat(left).doesNotExist();
    assertThat(events).endsWith("job mix starts");
    JobID second = manager.submitted.get(1).getJobID();
    checkpoint(directory.resolve("checkpoints/mix"), second, 1, "");
    manager.forget();
    jobs.reconcile();
    assertThat(restored(manager.submitted.get(2))).endsWith("chk-1/");
  }

  @Test
  void removesWhatEarlierSubmissionsLeftOnceTheJobStandsOnItsOwn() throws IOException {
    Path of = directory.resolve("checkpoints/mix");
    Path oldest = checkpoint(of, new JobID(), 3, "");
    Path before = checkpoint(of, new JobID(), 5, "");
    Path shared = Files.createFile(Files.createDirectories(before.resolve("shared")).resolve("a"));
    Path orphan = Files.createFile(before.resolve("shared/b"));
    Path notOurs = Files.createDirectories(of.resolve("notes"));
    jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    JobID present = manager.submitted.get(0).getJobID();
    checkpoint(of, present, 6, shared.toUri().toString());
    jobs.reconcile();
    assertThat(oldest.resolve("chk-3/_metadata")).exists();
    Path own = checkpoint(of, present, 7, "");
    jobs.reconcile();
    assertThat(List.of(oldest, before.resolve("chk-5"), orphan)).noneMatch(Files::exists);
    assertThat(List.of(shared, notOurs, own.resolve("chk-6"))).allMatch(Files::exists);
  }

  @Test
  void removesNothingWhileAJobRunsTwice() throws IOException {
    Path of = directory.resolve("checkpoints/mix");
    Path earlier = checkpoint(of, new JobID(), 3, "");
    jobs.run("mix", ClusterJobsTest::pipeline);
    jobs.reconcile();
    JobID present = manager.submitted.get(0).getJobID();
    checkpoint(of, present, 6, "");
    checkpoint(of, present, 7, "");
    manager.add(new JobID(), "mix");
    jobs.reconcile();
    assertThat(earlier).exists();
  }

  private static Path checkpoint(Path of, JobID job, int number, String metadata)
      throws IOException {
    Path submission = of.resolve(job.toHexString());
    Path path = Files.createDirectories(submission.resolve("chk-" + number));
    Files.writeString(path.resolve("_metadata"), metadata);
    return submission;
  }

  private void checkpoint(String job, int number) throws IOException {
    Path path = directory.resolve("checkpoints/" + job + "/0123/chk-" + number);
    Files.createFile(Files.createDirectories(path).resolve("_metadata"));
  }

  private static String restored(JobGraph job) {
    return String.valueOf(job.getSavepointRestoreSettings().getRestorePath());
  }

  private static void pipeline(StreamExecutionEnvironment env) {
    env.fromSequence(1, 2).sinkTo(new DiscardingSink<>());
  }
}
