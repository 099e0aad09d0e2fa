package io.sluice.mixture.simulate;

import io.sluice.mixture.simulate.scenario.Invented;
import io.sluice.mixture.simulate.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Which of two runs ends with less loss, by a millionth of a nat or more, over changes of what is
 * invented in a scenario: each name's numbers together times 1/2 and times 2, with the same seed,
 * and scenarios in which every number has a factor of its own, log-uniform in [1/2, 2], and a seed
 * of its own.
 *
 * @param changes how many single changes there are: two for each name
 * @param draws how many scenarios were drawn
 * @param pairs each policy against the static mixture, its average, and the policies after it
 */
public record Variations(Scenario scenario, int changes, int draws, List<Pair> pairs) {
  private static final double FACTOR = 2;
  private static final long KEY = 0x6d3f;

  /** What two runs that differ by less end with is the same. */
  private static final double EQUAL = 1e-6;

  /**
   * Two runs.
   *
   * @param difference loss of the one less that of the other, in the scenario as it is, in nats
   * @param lowerInChanges single changes with which the one ends below the other
   * @param lowerInDraws drawn scenarios in which it does
   * @param flips single changes with which the ranking is another than in the scenario as it is,
   *     such as {@code exponent x 2}
   */
  public record Pair(
      String one,
      String other,
      double difference,
      int lowerInChanges,
      int lowerInDraws,
      List<String> flips) {
    /** Copies the flips. */
    public Pair {
      flips = List.copyOf(flips);
    }
  }

  /** A changed scenario. */
  private record Change(String name, double factor) {
    String label() {
      return name + (factor > 1 ? " x 2" : " x 1/2");
    }

    Scenario of(Scenario scenario) {
      return Invented.scaled(scenario, each -> each.equals(name) ? factor : 1);
    }
  }

  /** Copies the pairs. */
  public Variations {
    pairs = List.copyOf(pairs);
  }

  /** The names of what is changed. */
  public List<String> invented() {
    return Invented.names(scenario);
  }

  /**
   * Runs the candidates in the scenario and in all that are made of it, some at the same time.
   *
   * @param candidates at least one
   * @param draws at least 0
   * @param seed of the scenario as it is, of every single change, and of what is drawn
   * @param proposals as in {@link Comparison}; asked by several threads
   */
  public static Variations of(
      Scenario scenario,
      List<Candidate> candidates,
      int draws,
      long seed,
      Supplier<Proposals> proposals) {
    List<Change> changes =
        Invented.names(scenario).stream()
            .flatMap(
                name -> List.of(new Change(name, 1 / FACTOR), new Change(name, FACTOR)).stream())
            .toList();
    List<Run> as = Run.of(new Trial(scenario, seed), candidates, proposals);
    List<double[]> changed =
        IntStream.range(0, changes.size())
            .parallel()
            .mapToObj(n -> objectives(changes.get(n).of(scenario), candidates, seed, proposals))
            .toList();
    List<double[]> drawn =
        IntStream.range(0, draws)
            .parallel()
            .mapToObj(
                n -> objectives(drawn(scenario, seed, n), candidates, seed + 1 + n, proposals))
            .toList();
    List<Pair> pairs = new ArrayList<>();
    for (int[] rows : rows(candidates.size())) {
      Run one = as.get(rows[0]);
      Run other = as.get(rows[1]);
      List<String> flips = new ArrayList<>();
      double difference = one.trajectory().objective() - other.trajectory().objective();
      for (int n = 0; n < changes.size(); n++) {
        if (ranking(changed.get(n), rows) != ranking(difference)) {
          flips.add(changes.get(n).label());
        }
      }
      if (!other.isRepeated()) {
        pairs.add(
            new Pair(
                one.label(),
                other.label(),
                difference,
                lower(changed, rows),
                lower(drawn, rows),
                flips));
      }
    }
    return new Variations(scenario, changes.size(), draws, pairs);
  }

  /** Rows of {@link Run#of} that are compared: the static one is the first, averages are even. */
  private static List<int[]> rows(int candidates) {
    List<int[]> rows = new ArrayList<>();
    for (int n = 0; n < candidates; n++) {
      int row = 1 + 2 * n;
      rows.add(new int[] {row, 0});
      rows.add(new int[] {row, row + 1});
      for (int later = n + 1; later < candidates; later++) {
        rows.add(new int[] {row, 1 + 2 * later});
      }
    }
    return rows;
  }

  private static Scenario drawn(Scenario scenario, long seed, int n) {
    SplittableRandom random = new SplittableRandom(seed * 31 + n ^ KEY);
    return Invented.scaled(scenario, name -> Math.pow(FACTOR, 2 * random.nextDouble() - 1));
  }

  private static double[] objectives(
      Scenario scenario, List<Candidate> candidates, long seed, Supplier<Proposals> proposals) {
    return Run.of(new Trial(scenario, seed), candidates, proposals).stream()
        .mapToDouble(run -> run.trajectory().objective())
        .toArray();
  }

  /** −1 where the one ends below the other, 1 where above, 0 where nothing is between them. */
  private static int ranking(double difference) {
    return Math.abs(difference) < EQUAL ? 0 : (int) Math.signum(difference);
  }

  private static int ranking(double[] losses, int[] rows) {
    return ranking(losses[rows[0]] - losses[rows[1]]);
  }

  private static int lower(List<double[]> scenarios, int[] rows) {
    return (int) scenarios.stream().filter(losses -> ranking(losses, rows) < 0).count();
  }
}
