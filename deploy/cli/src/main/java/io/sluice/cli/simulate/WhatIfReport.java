package io.sluice.cli.simulate;

import io.sluice.cli.plot.TextTable;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.replay.Replay;
import io.sluice.mixture.simulate.Trajectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What policies decide on the feedback of one run, as text and as JSON.
 *
 * @param rows the run's own decisions first
 * @param losses held-out losses by step, as far as they were measured
 * @param sent metrics that the trainers sent
 */
record WhatIfReport(
    WhatIf question,
    List<Row> rows,
    SortedMap<Long, double[]> losses,
    Collection<String> sent,
    OwnReplay.Judged own) {
  private static final int MOST_COLUMNS = 12;
  private static final String NOTE =
      "Open loop: what was measured is of the run's own mixture whatever a policy decides. This tells"
          + " what each would have decided on it, not what would have come of that.";

  /** The decisions of one policy. */
  record Row(String label, Weights initial, List<Replay.Round> rounds) {
    long heard() {
      return rounds.stream().filter(Replay.Round::heard).count();
    }

    Weights last() {
      return rounds.isEmpty() ? initial : rounds.get(rounds.size() - 1).weights();
    }
  }

  /** What JSON says of a round. */
  record Round(long step, boolean heard, Map<String, Double> weights) {}

  /** What JSON says of one policy. */
  record Outcome(
      String policy,
      long heard,
      double churn,
      double fromRun,
      Map<String, Double> finalWeights,
      List<Round> rounds) {}

  /** Everything that JSON says. */
  record Json(
      String run,
      String runId,
      long every,
      long base,
      String note,
      Collection<String> metrics,
      OwnReplay.Judged own,
      List<Outcome> policies) {}

  List<String> domains() {
    return question.run().settings().domains();
  }

  String title() {
    return "run %s: %d rounds after step %d, every %d, open loop"
        .formatted(
            question.run().run().name(),
            question.steps().size(),
            question.base(),
            question.every());
  }

  /** As they are drawn: up to the last batch, with the losses at the steps of the rounds. */
  List<Course> courses() {
    return rows.stream().map(row -> new Course(row.label(), points(row))).toList();
  }

  private List<Trajectory.Point> points(Row row) {
    double[] none = new double[domains().size()];
    Arrays.fill(none, Double.NaN);
    SortedMap<Long, double[]> drawn = new TreeMap<>();
    drawn.put(question.base(), none);
    question.steps().forEach(step -> drawn.put(step, none));
    drawn.putAll(losses);
    List<Trajectory.Point> points =
        new ArrayList<>(Replay.points(row.initial(), row.rounds(), drawn));
    long granted = question.run().run().state().position().granted();
    if (granted > drawn.lastKey()) {
      points.add(new Trajectory.Point(granted, row.last().shares(), none));
    }
    return points;
  }

  List<String> lines() {
    int shown = Math.min(MOST_COLUMNS, domains().size());
    List<String> head = new ArrayList<>(List.of("policy", "heard", "churn", "from run"));
    domains().subList(0, shown).forEach(domain -> head.add("weight " + domain));
    TextTable table = new TextTable(head);
    for (Row row : rows) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  row.label(),
                  row.heard() + " of " + row.rounds().size(),
                  TextTable.fixed(2, churn(row)),
                  TextTable.fixed(4, fromRun(row))));
      for (int i = 0; i < shown; i++) {
        cells.add(TextTable.fixed(4, row.last().share(i)));
      }
      table.add(cells);
    }
    List<String> lines = new ArrayList<>(List.of(title(), ""));
    lines.addAll(table.lines());
    lines.addAll(
        List.of(
            "",
            NOTE,
            "heard: rounds with feedback, of those closed; from run: half the L1 distance to the"
                + " run's weights, as a mean over the steps; then the last weights.",
            "The trainers sent " + String.join(", ", sent) + ".",
            own + "."));
    if (shown < domains().size()) {
      lines.add("--csv and --json have the other domains.");
    }
    return lines;
  }

  Json json() {
    return new Json(
        question.run().run().name(),
        question.run().run().runId(),
        question.every(),
        question.base(),
        NOTE,
        sent,
        own,
        rows.stream().map(this::outcome).toList());
  }

  private Outcome outcome(Row row) {
    List<Round> rounds = new ArrayList<>();
    row.rounds()
        .forEach(
            round -> rounds.add(new Round(round.step(), round.heard(), byDomain(round.weights()))));
    return new Outcome(
        row.label(), row.heard(), churn(row), fromRun(row), byDomain(row.last()), rounds);
  }

  private Map<String, Double> byDomain(Weights weights) {
    return Course.byDomain(domains(), weights.shares());
  }

  private double churn(Row row) {
    return Trajectory.churn(points(row));
  }

  /** Points of all rows are of the same batches; those after the first are what rounds led to. */
  private double fromRun(Row row) {
    List<Trajectory.Point> own = points(rows.get(0));
    List<Trajectory.Point> other = points(row);
    double sum = 0;
    for (int n = 0; n < own.size(); n++) {
      sum += Trajectory.churn(List.of(own.get(n), other.get(n)));
    }
    return sum / own.size();
  }
}
