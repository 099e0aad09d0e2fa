package io.sluice.cli.simulate;

import io.sluice.cli.plot.TextTable;
import io.sluice.control.targets.LossHistory;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.replay.LossReplay;
import io.sluice.mixture.simulate.Candidate;
import io.sluice.mixture.simulate.Comparison;
import io.sluice.mixture.simulate.Trajectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Policies replayed on the losses of one run, as text and as JSON. */
record ReplayReport(String source, LossHistory history, List<Course> courses) {
  private static final int MOST_COLUMNS = 12;
  private static final String NOTE =
      "open loop: the losses are the recorded ones whatever the weights, so this tells how a policy"
          + " moves, not what its mixture is worth; there is no oracle";

  /** What JSON says of one policy. */
  record Outcome(String policy, double churn, Map<String, Double> finalWeights) {}

  /** Everything that JSON says. */
  record Json(String feedback, String note, List<Outcome> policies) {}

  /** Replays the static mixture and the candidates. */
  static ReplayReport of(String source, LossHistory history, List<Candidate> candidates) {
    List<Candidate> all = new ArrayList<>(candidates);
    all.add(0, new Candidate(Comparison.STATIC, Comparison.STATIC, Map.of(), Map.of()));
    Weights initial = Weights.ofShares(history.initialShares());
    List<Course> courses = new ArrayList<>();
    for (Candidate candidate : all) {
      courses.add(
          new Course(
              candidate.label(),
              LossReplay.run(candidate, history.domains(), initial, history.losses())));
    }
    return new ReplayReport(source, history, courses);
  }

  String title() {
    return source + ": " + history.losses().size() + " rounds replayed, open loop";
  }

  List<String> lines() {
    int shown = Math.min(MOST_COLUMNS, history.domains().size());
    List<String> head = new ArrayList<>(List.of("policy", "churn"));
    history.domains().subList(0, shown).forEach(domain -> head.add("weight " + domain));
    TextTable table = new TextTable(head);
    for (Course course : courses) {
      List<String> row =
          new ArrayList<>(List.of(course.label(), TextTable.fixed(2, churn(course))));
      for (int i = 0; i < shown; i++) {
        row.add(TextTable.fixed(4, course.lastShares()[i]));
      }
      table.add(row);
    }
    List<String> lines = new ArrayList<>(List.of(title(), ""));
    lines.addAll(table.lines());
    lines.addAll(List.of("", NOTE));
    if (shown < history.domains().size()) {
      lines.add("--csv and --json have the other domains.");
    }
    return lines;
  }

  Json json() {
    List<Outcome> outcomes = new ArrayList<>();
    for (Course course : courses) {
      Map<String, Double> weights = Course.byDomain(history.domains(), course.lastShares());
      outcomes.add(new Outcome(course.label(), churn(course), weights));
    }
    return new Json(source, NOTE, outcomes);
  }

  private static double churn(Course course) {
    return Trajectory.churn(course.points());
  }
}
