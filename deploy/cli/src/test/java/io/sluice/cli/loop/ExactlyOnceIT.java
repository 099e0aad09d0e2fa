package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.TestingSluice;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.RunSpec;
import io.sluice.service.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The README's loop, the {@code Trainer} of transformers and that of Lightning, each of several
 * processes on a real broker and both jobs: whatever happens to the run and to them, their model
 * has been trained on every row of the stream once, at the step of its batch.
 */
class ExactlyOnceIT {
  private static final int BATCH = 16;
  private static final long FOR_EVER = 100_000;

  @TempDir private static Path directory;

  private static TestingService service;
  private static TestingSluice sluice;

  @BeforeAll
  static void start() {
    TestingPython.require("confluent_kafka", "fastavro", "torch");
    service = new TestingService(directory);
    new DatasetCatalog(service.kafka).publish(service.dataset);
    service.fill();
    sluice = new TestingSluice(service.kafka, directory);
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"readme, numpy", "transformers, transformers", "lightning, lightning.pytorch"})
  void aModelHasSeenEachRowOnce(String run, String module, @TempDir Path folder)
      throws IOException {
    TestingPython.require(module);
    RunSpec spec = service.fixed(run, 0);
    spec.setLead(8);
    service.start(spec);
    try (RankedTrainer trainer =
        new RankedTrainer(service.kafka, "trained_" + run + ".py", run, folder)) {
      trainer.start(2, FOR_EVER);
      trainer.awaitStep(12);
      pauseAndResume(run, trainer);
      switchPolicy(run, trainer);
      long from = trainer.keep(rewind(run, trainer));
      long kept = dieAfter(from, trainer);
      long until = kept + 12;
      trainer.start(1, until, "--resume", trainer.checkpoint(kept));
      assertThat(trainer.ended()).as(trainer.said()).isZero();
      kept = trainer.keep(until);
      until = kept + 16;
      trainer.start(2, until, "--resume", trainer.checkpoint(kept));
      assertThat(trainer.ended()).as(trainer.said()).isZero();

      JsonNode found = new ObjectMapper().readTree(trainer.check(until));
      assertThat(found.get("wrong")).isEmpty();
      assertThat(found.get("rows").asLong()).isEqualTo(BATCH * until);
      assertThat(found.get("timelines")).hasSize(2);
      theCheckFindsOneRowOfMany(trainer, until);
    }
    AuditReport audit = Auditor.audit(service.kafka, run);
    assertThat(audit.violations()).isEmpty();
    assertThat(audit.timelines()).isEqualTo(2);
  }

  /** The trainer waits after the last batch that is granted, and goes on with the run. */
  private static void pauseAndResume(String run, RankedTrainer trainer) {
    sluice.does("run", "pause", run);
    long granted = history(run).state().position().granted();
    trainer.awaitStep(granted);
    assertThat(sluice.does("run", "show", run)).contains("paused");
    assertThat(history(run).state().position().granted()).isEqualTo(granted);
    sluice.does("run", "resume", run);
    trainer.awaitStep(granted + 5);
  }

  /** Fixed weights until now; the trainer that is there measures what the new policy waits for. */
  private static void switchPolicy(String run, RankedTrainer trainer) {
    assertThat(
            sluice.does(
                "run",
                "policy",
                run,
                "--name",
                "velocitune",
                "--set",
                "target-fraction=0.5",
                "--every",
                "10"))
        .contains("policy velocitune");
    Patience.await(
        Duration.ofMinutes(3), () -> history(run).rounds().size(), rounds -> rounds >= 2);
    trainer.awaitStep(history(run).state().position().granted());
  }

  /** Takes back what the trainer has just trained on, which tells it; the last batch that stays. */
  private static long rewind(String run, RankedTrainer trainer) {
    long to = history(run).state().position().granted() - 17;
    assertThat(sluice.does("run", "rewind", run, "--to-batch", Long.toString(to)))
        .contains("rewound to batch " + to);
    assertThat(trainer.ended()).isNotZero();
    assertThat(trainer.said()).contains("Rewound: ");
    return to;
  }

  /**
   * A life that goes on from a checkpoint, and one of whose ranks is killed within a step; the
   * checkpoint that is left, of an odd step.
   */
  private static long dieAfter(long from, RankedTrainer trainer) throws IOException {
    long odd = (from / 10 + 1) * 10 + 5;
    String last = Long.toString(odd + 3);
    trainer.start(2, FOR_EVER, "--resume", trainer.checkpoint(from), "--kill-at", last);
    assertThat(trainer.ended()).isNotZero();
    assertThat(trainer.said()).contains("SIGKILL");
    assertThat(trainer.keep(FOR_EVER)).isEqualTo(odd);
    return odd;
  }

  /** What says that all is well says otherwise of a row that is left out, twice or elsewhere. */
  private static void theCheckFindsOneRowOfMany(RankedTrainer trainer, long until)
      throws IOException {
    Path rows = trainer.rows(3, 1);
    List<String> written = Files.readAllLines(rows);
    String last = written.get(written.size() - 1);
    UnaryOperator<List<String>> dropped = lines -> lines.subList(0, lines.size() - 1);
    UnaryOperator<List<String>> repeated = lines -> with(lines, last);
    UnaryOperator<List<String>> moved =
        lines -> with(dropped.apply(lines), (until - 1) + last.substring(last.indexOf(' ')));
    assertThat(wrong(trainer, until, rows, dropped.apply(written)))
        .isEqualTo("{\"%d\":[15,16]}".formatted(until));
    assertThat(wrong(trainer, until, rows, repeated.apply(written)))
        .isEqualTo("{\"%d\":[17,16]}".formatted(until));
    assertThat(wrong(trainer, until, rows, moved.apply(written)))
        .isEqualTo("{\"%d\":[17,16],\"%d\":[15,16]}".formatted(until - 1, until));
  }

  private static List<String> with(List<String> lines, String another) {
    List<String> all = new ArrayList<>(lines);
    all.add(another);
    return all;
  }

  private static String wrong(RankedTrainer trainer, long until, Path rows, List<String> lines)
      throws IOException {
    Files.write(rows, lines);
    return new ObjectMapper().readTree(trainer.check(until)).get("wrong").toString();
  }

  private static RunHistory history(String run) {
    return RunHistory.read(service.kafka, run);
  }
}
