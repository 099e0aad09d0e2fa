package io.sluice.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.feedback.Measurement;
import io.sluice.client.feedback.Measurement.Total;
import io.sluice.djl.trainer.StepReport;
import io.sluice.djl.trainer.TrainingSummary;
import io.sluice.djl.trainer.TrainingSummary.End;
import io.sluice.service.local.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
  private static final long SECOND = 1_000_000_000;

  private final StringWriter out = new StringWriter();
  private final AtomicLong now = new AtomicLong();
  private String says = "";
  private final ProgressLines lines =
      new ProgressLines(new PrintWriter(out), "velo", 4, now::get, () -> says);

  @AfterEach
  void clearInterrupt() {
    Thread.interrupted();
  }

  @Test
  void printsAStepASecondAndTheLastOne() {
    for (long step = 1; step <= 4; step++) {
      now.addAndGet(SECOND * 6 / 10);
      lines.onStep(
          new StepReport(step, 0, 2, 3.25, 100, 1, SECOND / 2, SECOND / 2, Map.of(), Map.of()));
    }
    assertThat(out.toString().lines())
        .containsExactly(
            "step 1 of 4: loss 3.2500, 100 tokens/s, waited 500.0 ms, weights version 2",
            "step 3 of 4: loss 3.2500, 100 tokens/s, waited 500.0 ms, weights version 2",
            "step 4 of 4: loss 3.2500, 100 tokens/s, waited 500.0 ms, weights version 2");
  }

  @Test
  void saysHowFarALongStepIsAndOnceThatTheTrainingWillTakeHours() {
    var longOnes = new ProgressLines(new PrintWriter(out), "velo", 1000, now::get, () -> says);
    for (long step = 1; step <= 2; step++) {
      for (int done = 0; done <= 4; done++) {
        longOnes.onPart(step, 16 * done, 64);
        now.addAndGet(SECOND * 4);
      }
    }
    assertThat(out.toString().lines())
        .containsExactly(
            "at this rate step 1000 is reached in about 4.4 hours; a smaller batch of the run, a"
                + " smaller model or fewer --steps take less",
            "step 1 of 1000: 32 of 64 sequences",
            "step 2 of 1000: 32 of 64 sequences");
  }

  @Test
  void shortStepsHaveNoPartsAndShortTrainingsNoWarning() {
    for (long step = 1; step <= 4; step++) {
      for (int done = 0; done <= 4; done++) {
        lines.onPart(step, done, 4);
        now.addAndGet(SECOND / 2);
      }
    }
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void saysWhatABatchWaitsFor() {
    lines.onWait(7, Duration.ofMinutes(1), "batch 7 is not granted yet");
    says = "domain wiki is behind";
    lines.onWait(7, Duration.ofMinutes(2), "batch 7 is not granted yet");
    assertThat(out.toString().lines())
        .containsExactly(
            "batch 7 has not come for 1 min: batch 7 is not granted yet;"
                + " 'sluice run show velo' shows where the run stands",
            "batch 7 has not come for 2 min: batch 7 is not granted yet; the service: domain wiki"
                + " is behind; 'sluice run show velo' shows where the run stands");
  }

  @Test
  void printsMeansOfWhatIsMeasured() {
    lines.onMeasurement(new Measurement(2, 2, "a", "train_loss", Map.of("java", new Total(7, 2))));
    assertThat(out.toString().lines()).containsExactly("step 2: train_loss java 3.5000");
  }

  @Test
  void theLastLineSaysHowItEnded() {
    lines.end(new TrainingSummary(1, 4, End.COMPLETED, "", 2.5, 400, SECOND, 2 * SECOND, SECOND));
    lines.end(new TrainingSummary(5, 4, End.RUN_ENDED, "run r-1 is completed", 0, 0, 0, 0, 0));
    assertThat(out.toString().lines())
        .containsExactly(
            "done: trained steps 1 to 4, loss 2.5000, 400 tokens in 4.0 s, 25.0 % of it waiting",
            "run r-1 is completed: no step was trained after step 4");
  }

  @Test
  void theEndOfTheProcessInterruptsOnlyATrainingThatHasNotBegun() {
    StopSignal end = new StopSignal(Duration.ZERO, lines::underWay);
    lines.onMeasurement(new Measurement(0, 0, "a", "eval_loss", Map.of("d", new Total(1, 1))));
    end.stopAndWait();
    assertThat(Thread.interrupted()).isFalse();
    new StopSignal(Duration.ZERO, () -> false).stopAndWait();
    assertThat(Thread.interrupted()).isTrue();
  }
}
