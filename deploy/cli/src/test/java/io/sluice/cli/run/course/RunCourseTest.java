package io.sluice.cli.run.course;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.Mark;
import io.sluice.control.history.RunHistory.Version;
import io.sluice.control.targets.LossHistory;
import io.sluice.mixture.plan.Weights;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunCourseTest {
  private static Version version(int timeline, int version, long firstBatch, int domains) {
    return new Version(timeline, version, firstBatch, Weights.uniform(domains));
  }

  @Test
  void leavesOutWhatWasRewound() {
    List<Version> versions =
        List.of(
            version(0, 1, 1, 2),
            version(0, 2, 11, 2),
            version(0, 3, 21, 2),
            version(1, 2, 15, 2),
            version(1, 3, 31, 2),
            version(2, 1, 1, 2));
    assertThat(RunCourse.standing(versions.subList(0, 5)))
        .containsExactly(versions.get(0), versions.get(1), versions.get(3), versions.get(4));
    assertThat(RunCourse.standing(versions)).containsExactly(versions.get(5));
  }

  @Test
  void drawsADomainThatWasAddedFromThenOn() {
    LossHistory losses =
        new LossHistory(
            List.of("a", "b"),
            new double[] {0.5, 0.5},
            new TreeMap<>(),
            OptionalDouble.empty(),
            true);
    RunCourse course =
        new RunCourse(
            "r",
            List.of("a", "b", "c"),
            List.of(version(0, 1, 1, 2), version(0, 2, 11, 3)),
            30,
            losses);
    Figure figure = course.figure();
    Mark.Area added = (Mark.Area) figure.panels().get(0).marks().get(2);
    assertThat(added.x()).containsExactly(0, 10, 10, 30);
    assertThat(added.high()[0] - added.low()[0]).isZero();
    assertThat(added.high()[3] - added.low()[3]).isPositive();
    assertThat(course.summary())
        .isEqualTo("run r: 2 mixture versions of 3 domains up to batch 30, losses at 0 steps");
  }
}
