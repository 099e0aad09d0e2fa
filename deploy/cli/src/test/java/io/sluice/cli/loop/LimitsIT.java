package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run is held back by that shares a service, and what people see of that. */
class LimitsIT {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));
  @TempDir private static Path directory;

  private static LocalService service;
  private static KafkaAccess kafka;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() throws IOException {
    service = LocalService.start(LocalSettings.in(directory.resolve("up")), said -> {});
    kafka = service.access();
    sluice = new TestingSluice(kafka, directory);
    sluice.does("dataset", "apply", "-f", write("dataset.yaml", Testbed.FILE));
    new Testbed(kafka).fill();
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private static RunInfo apply(String name, String more) throws IOException {
    String run =
        """
        run: %s
        dataset: data
        batch: 16 sequences
        batches: 40
        initial-weights: uniform
        policy: static
        """
            .formatted(name);
    sluice.does("run", "apply", "-f", write(name + ".yaml", run + more));
    return RunDirectory.find(kafka, name, Patience.MINUTE);
  }

  private static void train(RunInfo run, long last, long checkpointEvery) {
    try (Loader stream = Loader.open(kafka, run, StreamOptions.defaults());
        FeedbackReporter feedback =
            FeedbackReporter.open(kafka, run, Reporter.single(), InstantSource.system())) {
      for (long step = 1; step <= last; step++) {
        assertThat(stream.next(PATIENCE).batch()).isEqualTo(step);
        feedback.progress(step, step, step - step % checkpointEvery);
      }
      feedback.flush();
    }
  }

  private static String awaitShown(String run, String wanted) {
    return Patience.await(
        Duration.ofMinutes(1),
        () -> sluice.does("run", "show", run),
        shown -> shown.contains(wanted));
  }

  @Test
  void aRunKeepsToItsTokensASecondUntilThatIsLifted() throws IOException {
    // A sequence in half a minute.
    RunInfo slow =
        apply(
            "slow",
            "limits: {tokens-per-second: 1 tokens}\npriority: 50\napply: {lead: 4 batches}\n");
    RunInfo free = apply("free", "");
    awaitShown("slow", "as limits.tokens-per-second says");
    train(free, 40, 40);
    assertThat(sluice.does("run", "limit", "slow", "--tokens-per-second", "2M"))
        .contains("run slow: tokensPerSecond: 1 -> 2000000, from batch ");
    train(slow, 40, 40);
    assertThat(sluice.does("audit", "--run", "slow")).contains("640 sequences checked", "passed");
    assertThat(sluice.run("run", "limit", "slow").err())
        .contains("give at least one of --priority, --tokens-per-second and --stream");
  }

  @Test
  void aStreamHoldsNoMoreThanItMayBeyondTheOldestCheckpoint() throws IOException {
    // Ten batches of 16 sequences of 33 tokens of two bytes.
    RunInfo run = apply("held", "reclaim: checkpoint\nlimits: {stream: 10560 bytes}\n");
    awaitShown("held", "limits.stream: batch 10 is granted");
    train(run, 40, 4);
    assertThat(sluice.does("run", "show", "held")).contains("completed");
    assertThat(sluice.does("audit", "--run", "held")).contains("passed");
  }

  @Test
  void whatCannotBeIsRefusedByItsKey() throws IOException {
    String run =
        """
        run: never
        dataset: data
        batch: 16 sequences
        initial-weights: uniform
        policy: static
        """;
    assertThat(refused(run + "limits: {stream: 1M bytes}\n"))
        .contains("limits.stream needs 'reclaim: checkpoint'");
    assertThat(refused(run + "priority: 101\n")).contains("priority", "1 to 100", "101");
    assertThat(refused(run + "limits: {tokens-per-second: -1}\n"))
        .contains("limits.tokens-per-second", "from 0 to", "-1");
    assertThat(refused(run + "limits: {stream-bytes: 1}\n")).contains("stream-bytes");
  }

  private static String refused(String run) throws IOException {
    TestingSluice.Said said = sluice.run("run", "apply", "-f", write("never.yaml", run));
    assertThat(said.exit()).isEqualTo(2);
    return said.err();
  }
}
