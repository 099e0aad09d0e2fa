package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Claim;
import io.sluice.lab.reproduce.claim.Evidence;
import io.sluice.lab.reproduce.claim.Judgement;
import io.sluice.lab.reproduce.claim.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What is to be said of a claim, line by line, whatever it is written in. */
final class ClaimText {
  /** A line with what it is of. */
  record Line(String label, String text) {}

  private ClaimText() {}

  static List<Line> lines(Judgement judgement, Results results) {
    Claim claim = judgement.claim();
    List<Line> lines = new ArrayList<>();
    lines.add(
        new Line("paper", claim.paper().title() + ", " + claim.where() + ": " + claim.says()));
    lines.add(
        new Line(
            "tested",
            claim.tested()
                + ", experiment "
                + claim.experiment()
                + "; least effect "
                + Numbers.given(claim.leastEffect())));
    ArmSummary summary = new ArmSummary(results, claim.experiment());
    lines.add(arm(claim.of(), claim, summary));
    claim.comparison().other().ifPresent(other -> lines.add(arm(other, claim, summary)));
    judgement.measured().ifPresent(evidence -> evidence(lines, claim, evidence));
    if (!judgement.differences().bySeed().isEmpty()) {
      lines.add(
          new Line(
              "by seed",
              judgement.differences().bySeed().entrySet().stream()
                  .map(pair -> pair.getKey() + ": " + Numbers.signed(pair.getValue()))
                  .collect(Collectors.joining(", "))));
    }
    if (!judgement.differences().missing().isEmpty()) {
      lines.add(new Line("missing", String.join("; ", judgement.differences().missing())));
    }
    lines.add(new Line("verdict", judgement.verdict().words() + ": " + judgement.reason()));
    return lines;
  }

  private static Line arm(String arm, Claim claim, ArmSummary summary) {
    return new Line(
        arm,
        summary.cell(arm, claim.measure()) + ", seeds: " + summary.seeds(arm, claim.measure()));
  }

  private static void evidence(List<Line> lines, Claim claim, Evidence evidence) {
    lines.add(
        new Line(
            "difference",
            claim.difference()
                + " = "
                + Numbers.signed(evidence.mean())
                + ", 95 % "
                + Numbers.signed(evidence.interval())
                + " (t), "
                + Numbers.signed(evidence.bootstrap())
                + " (bootstrap), pairs: "
                + evidence.pairs()));
    lines.add(
        new Line(
            "p",
            Numbers.probability(evidence.p())
                + " two-sided, "
                + Numbers.probability(evidence.oneSided())
                + " one-sided, "
                + Numbers.probability(evidence.adjusted())
                + " after Holm's correction"));
  }
}
