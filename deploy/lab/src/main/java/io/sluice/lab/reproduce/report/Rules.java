package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Judgement;
import io.sluice.lab.reproduce.claim.Paper;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How verdicts come about, in sentences for every report. */
final class Rules {
  private Rules() {}

  static List<String> of(Report report) {
    return List.of(
        "What is claimed of an experiment was fixed before that was run; the SHA-256 of the file of all"
            + " claims is "
            + report.claimsSha256()
            + ".",
        "Arms with the same seed are a pair: the same initial parameters, and the same order within each"
            + " domain where they have the same domains. What counts is the difference of a pair.",
        "Undecided before anything else: where neither arm is better than without learning. A loss is"
            + " then what comes of knowing how often each byte comes in the test's own text, a share of"
            + " right answers a quarter; an arm is better if the 95 % t interval of its mean is.",
        "No difference: else, the 95 % t interval lies within ± the least effect, on whichever side. It is not"
            + " corrected for the number of claims.",
        "Shown: else, if the two-sided p of the t test is below 0.05 after Holm's correction, and the"
            + " mean lies where it is claimed. Refuted: the same, on the other side.",
        "Undecided: anything else, and whatever has fewer than three pairs; the seeds are those with"
            + " which a true difference of the least effect, and none, would be told with power 0.8.",
        "Five seeds and, later, ten are two looks: where there is no difference, one of them finds one at"
            + " p < 0.05 in 8.6 % of cases instead of 5. The verdict of ten is the one that counts.",
        "A share of right answers is over at most 64 questions of a domain and a seed; what that leaves"
            + " to chance is in the intervals over seeds.",
        "A claim that something is not above or not below has the least effect as its margin.",
        "A claim on one arm and a number has no second arm whose noise would make up for a skewed one's:"
            + " its p is to be trusted less.",
        "The correction is over all claims of a paper whose experiments were run, those that failed"
            + " among them: "
            + families(report)
            + ".");
  }

  private static String families(Report report) {
    return Arrays.stream(Paper.values())
        .filter(paper -> report.family(paper) > 0)
        .map(paper -> report.family(paper) + " of " + paper.title())
        .collect(Collectors.joining(", "));
  }

  /** How many claims came to each verdict, as a sentence. */
  static String counts(Report report) {
    if (report.judgements().isEmpty()) {
      return "No experiment was run.";
    }
    return report.judgements().stream()
        .collect(Collectors.groupingBy(Judgement::verdict, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(entry -> entry.getValue() + " " + entry.getKey().words())
        .collect(Collectors.joining(", ", "", "."));
  }
}
