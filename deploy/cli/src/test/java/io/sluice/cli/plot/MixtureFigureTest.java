package io.sluice.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MixtureFigureTest {
  private static final double[] NONE = {};

  private static Panel panel(Figure figure, int place) {
    return figure.panels().get(place);
  }

  @Test
  void stacksWeightsInStepsAndDrawsLossesOfDomainsThatComeAndGo() {
    MixtureCourse course =
        new MixtureCourse(
            "run",
            new double[] {0, 10, 30},
            List.of(new double[] {0.6, 0.4, 0}, new double[] {0, 0.4, 0.6}),
            new double[] {0, 10, 20},
            List.of(
                new double[] {4, 5, Double.NaN},
                new double[] {3, Double.NaN, Double.NaN},
                new double[] {Double.NaN, 4, 2}));
    Figure figure = MixtureFigure.of("t", List.of("a", "b", "c"), List.of(course));
    assertThat(figure.legend()).containsExactly("a", "b", "c");
    Mark.Area gone = (Mark.Area) panel(figure, 0).marks().get(0);
    assertThat(gone.x()).containsExactly(0, 10, 10, 30);
    assertThat(gone.high()).containsExactly(0.6, 0.6, 0, 0);
    Mark.Area added = (Mark.Area) panel(figure, 0).marks().get(2);
    assertThat(added.low()).containsExactly(1, 1, 0.4, 0.4);
    assertThat(added.high()).containsExactly(1, 1, 1, 1);
    List<Mark> losses = panel(figure, 1).marks();
    assertThat(((Mark.Line) losses.get(0)).y()).containsExactly(4, 3);
    assertThat(((Mark.Line) losses.get(1)).x()).containsExactly(0, 20);
    assertThat(((Mark.Points) losses.get(2)).y()).containsExactly(2);
  }

  @Test
  void hasWeightsAloneWhereNothingWasMeasured() {
    MixtureCourse course =
        new MixtureCourse("run", new double[] {0, 5}, List.of(new double[] {1}), NONE, List.of());
    Figure figure = MixtureFigure.of("t", List.of("a"), List.of(course));
    assertThat(figure.panels()).singleElement().matches(each -> each.title().endsWith("weights"));
    assertThat(figure.columns()).isOne();
    MixtureCourse unborn = new MixtureCourse("run", new double[] {0}, List.of(), NONE, List.of());
    assertThat(MixtureFigure.of("t", List.of("a"), List.of(unborn)).svg()).doesNotContain("NaN");
  }

  @Test
  void showsTheLargestOfManyDomainsAndFewOfManyPoints() {
    int domains = Palette.DISTINCT + 6;
    double[] shares = new double[domains];
    Arrays.setAll(shares, i -> i < 6 ? 0 : 1.0 / Palette.DISTINCT);
    int versions = 5000;
    double[] bounds = IntStream.rangeClosed(0, versions).asDoubleStream().toArray();
    MixtureCourse course =
        new MixtureCourse(
            "run",
            bounds,
            IntStream.range(0, versions).mapToObj(i -> shares).toList(),
            bounds,
            IntStream.rangeClosed(0, versions).mapToObj(i -> shares).toList());
    List<String> names = IntStream.range(0, domains).mapToObj(i -> "d" + i).toList();
    Figure figure = MixtureFigure.of("t", names, List.of(course));
    assertThat(figure.legend()).hasSize(Palette.DISTINCT + 1).startsWith("d6").endsWith("6 others");
    Mark.Area first = (Mark.Area) panel(figure, 0).marks().get(0);
    assertThat(first.x()).hasSizeLessThan(810).startsWith(0).endsWith(versions);
    Mark.Line line = (Mark.Line) panel(figure, 1).marks().get(0);
    assertThat(line.x()).hasSizeLessThan(405).startsWith(0).endsWith(versions);
  }

  @Test
  void refusesACourseWithoutWeightsForItsBatches() {
    assertThatThrownBy(
            () -> new MixtureCourse("r", new double[] {0}, List.of(NONE), NONE, List.of()))
        .hasMessage("bounds must be one more than 1 weights: 1");
    assertThatThrownBy(
            () -> new MixtureCourse("r", new double[] {0}, List.of(), new double[] {1}, List.of()))
        .hasMessage("steps must be as many as 0 losses: 1");
  }
}
