package io.sluice.cli.run.course;

import io.sluice.cli.plot.Figure;
import io.sluice.cli.plot.MixtureCourse;
import io.sluice.cli.plot.MixtureFigure;
import io.sluice.control.runs.RunRevision;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Two runs, and what can be said of both. */
record RunComparison(ComparedRun first, ComparedRun second) {
  /** How the second's specification differs from the first's, a line for each field. */
  List<String> differences() {
    RunSpec named = RunSpec.newBuilder(second.spec()).setRun(first.spec().getRun()).build();
    return RunRevision.changes(first.spec(), named);
  }

  /** Why losses of one say nothing beside those of the other; none if they do. */
  List<String> doubts() {
    RunSpec a = first.spec();
    RunSpec b = second.spec();
    List<String> doubts = new ArrayList<>();
    doubt(doubts, "datasets", a.getDataset(), b.getDataset());
    if (a.getDataset().equals(b.getDataset())) {
      doubt(doubts, "fingerprints of the dataset", a.getFingerprint(), b.getFingerprint());
    }
    doubt(doubts, "tokenizers", a.getTokenizer(), b.getTokenizer());
    doubt(doubts, "sequence lengths", a.getSequenceLength(), b.getSequenceLength());
    doubt(doubts, "batch sizes", a.getBatchSizes(), b.getBatchSizes());
    doubt(doubts, "seeds", a.getSeed(), b.getSeed());
    doubt(doubts, "held-out sizes, eval-tokens", a.getEvalTokens(), b.getEvalTokens());
    doubt(doubts, "domains", Set.copyOf(a.getDomains()), Set.copyOf(b.getDomains()));
    Map<String, Long> counted = second.heldOut();
    first
        .heldOut()
        .forEach(
            (domain, count) ->
                doubt(
                    doubts,
                    "held-out tokens measured of " + domain,
                    count,
                    counted.getOrDefault(domain, count)));
    if (steps().isEmpty()) {
      doubts.add("no step at which both measured held-out losses");
    }
    return doubts;
  }

  private static void doubt(List<String> doubts, String what, Object a, Object b) {
    if (!Objects.equals(a, b)) {
      doubts.add("other " + what + ": " + a + " and " + b);
    }
  }

  /** Those of either, the first's first. */
  List<String> domains() {
    Set<String> all = new LinkedHashSet<>(first.course().domains());
    all.addAll(second.course().domains());
    return List.copyOf(all);
  }

  /** The steps at which both measured held-out losses. */
  List<Long> steps() {
    return first.rounds().keySet().stream()
        .filter(step -> second.rounds().containsKey(step))
        .toList();
  }

  /** How much greater the second's mean loss is, over domains that both measured; NaN if none. */
  double lossDifference(long step) {
    return domains().stream()
        .mapToDouble(domain -> second.loss(step, domain) - first.loss(step, domain))
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  Figure figure() {
    return MixtureFigure.of(
        "runs " + first.name() + " and " + second.name(),
        domains(),
        List.of(drawn(first.course()), drawn(second.course())));
  }

  /** With its domains in the place that they have among both runs'. */
  private MixtureCourse drawn(RunCourse course) {
    MixtureCourse own = course.drawn();
    int[] places = domains().stream().mapToInt(course.domains()::indexOf).toArray();
    return new MixtureCourse(
        own.label(),
        own.bounds(),
        own.shares().stream().map(shares -> placed(shares, places, 0)).toList(),
        own.steps(),
        own.losses().stream().map(losses -> placed(losses, places, Double.NaN)).toList());
  }

  private static double[] placed(double[] values, int[] places, double absent) {
    return Arrays.stream(places).mapToDouble(i -> i < 0 ? absent : values[i]).toArray();
  }
}
