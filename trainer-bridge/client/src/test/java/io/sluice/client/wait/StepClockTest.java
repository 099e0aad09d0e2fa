package io.sluice.client.wait;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.ExposedTime;
import io.sluice.client.run.WaitCause;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StepClockTest {
  private final StepClock steps = new StepClock();

  private static WaitMarks marks(Object... untilAndCause) {
    WaitMarks marks = new WaitMarks();
    for (int i = 0; i < untilAndCause.length; i += 2) {
      marks.add((Integer) untilAndCause[i], (WaitCause) untilAndCause[i + 1]);
    }
    return marks;
  }

  @Test
  void aStepLastsFromOneBatchToTheNextAndTheFirstIsTheStart() {
    steps.add(0, 900, marks(900, WaitCause.GRANT));
    assertThat(steps.exposed()).isSameAs(ExposedTime.NONE);
    steps.add(1800, 1900, marks(1850, WaitCause.GRANT, 1890, WaitCause.NETWORK));
    assertThat(steps.exposed().stepNanos()).isEqualTo(1000);
    assertThat(steps.exposed().waitNanos(WaitCause.GRANT)).isEqualTo(50);
    assertThat(steps.exposed().waitNanos(WaitCause.NETWORK)).isEqualTo(40);
    assertThat(steps.exposed().waitNanos(WaitCause.DECODE)).isEqualTo(10);
    assertThat(steps.exposed().share()).isEqualTo(0.1);
  }

  @Test
  void whatWasReadBeforeTheLoopAskedIsNotExposed() {
    steps.add(0, 0, marks());
    steps.add(500, 600, marks(400, WaitCause.GRANT, 550, WaitCause.NETWORK, 700, WaitCause.DECODE));
    assertThat(steps.exposed().waitNanos(WaitCause.GRANT)).isZero();
    assertThat(steps.exposed().waitNanos(WaitCause.NETWORK)).isEqualTo(50);
    assertThat(steps.exposed().waitNanos()).isEqualTo(100);
  }

  @Test
  void aWaitThatIsGoingOnCountsOnceThereWasAStep() {
    assertThat(steps.waiting(0, 500, WaitCause.GRANT)).isSameAs(ExposedTime.NONE);
    steps.add(0, 100, marks());
    ExposedTime until = steps.waiting(150, 1100, WaitCause.SUPPLY);
    assertThat(until.stepNanos()).isEqualTo(1000);
    assertThat(until.waitNanos(WaitCause.SUPPLY)).isEqualTo(950);
    assertThat(steps.exposed()).isSameAs(ExposedTime.NONE);
  }

  @Test
  void goingElsewhereIsNoStep() {
    steps.add(0, 0, marks());
    steps.add(50, 100, marks(100, WaitCause.EMISSION));
    steps.begin();
    steps.add(200, 5000, marks(5000, WaitCause.GRANT));
    steps.add(5050, 5100, marks(5100, WaitCause.EMISSION));
    assertThat(steps.exposed().stepNanos()).isEqualTo(200);
    assertThat(steps.exposed().waitNanos()).isEqualTo(100);
    assertThat(steps.exposed().waitNanos(WaitCause.EMISSION)).isEqualTo(100);
  }

  @Test
  void isReadByPeopleAndSurvivesTheWire() {
    ExposedTime exposed =
        new ExposedTime(
            10_000_000_000L,
            Map.of(
                WaitCause.GRANT, 250_000_000L,
                WaitCause.BROKER, 2_000_000L,
                WaitCause.DECODE, 90_000L));
    assertThat(exposed).hasToString("2.52 % of step time (grant 2.50 %, broker 0.02 %)");
    assertThat(ExposedTime.of(exposed.toWire()))
        .hasToString("2.52 % of step time (grant 2.50 %, broker 0.02 %)");
    assertThat(ExposedTime.NONE).hasToString("0.00 % of step time");
  }
}
