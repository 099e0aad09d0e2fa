package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Claim;
import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.claim.Judge;
import io.sluice.lab.reproduce.claim.Judgement;
import io.sluice.lab.reproduce.claim.Paper;
import io.sluice.lab.reproduce.claim.Results;
import io.sluice.lab.reproduce.claim.Verdict;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Verdicts on claims, and the results that they are of. All but the environment is the same for the
 * same results, byte for byte.
 *
 * @param form of the experiments, in a word such as 'quick'
 * @param claimsSha256 of the file of claims, in hex
 * @param judgements what is refuted first, then in the order of the file
 * @param notRun claims whose experiments were not run
 * @param departures what differs from the paper, in sentences, by experiment
 * @param environment machine, durations, command line: what another run has otherwise
 */
public record Report(
    String form,
    String claimsSha256,
    List<Judgement> judgements,
    List<Claim> notRun,
    Results results,
    SortedMap<String, List<String>> departures,
    SortedMap<String, String> environment) {
  /** Copies lists and maps. */
  public Report {
    judgements = List.copyOf(judgements);
    notRun = List.copyOf(notRun);
    SortedMap<String, List<String>> copied = new TreeMap<>();
    departures.forEach((experiment, lines) -> copied.put(experiment, List.copyOf(lines)));
    departures = Collections.unmodifiableSortedMap(copied);
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
  }

  /** The report on all claims whose experiments are among the results. */
  public static Report of(
      String form,
      Claims claims,
      Results results,
      Map<String, List<String>> departures,
      Map<String, String> environment) {
    List<Judgement> judgements =
        Judge.judge(claims, results).stream()
            .sorted(Comparator.comparing(Judgement::verdict))
            .toList();
    List<Claim> notRun =
        claims.all().stream()
            .filter(claim -> !results.experiments().containsKey(claim.experiment()))
            .toList();
    return new Report(
        form,
        claims.sha256(),
        judgements,
        notRun,
        results,
        new TreeMap<>(departures),
        new TreeMap<>(environment));
  }

  /** Those of one verdict, in order. */
  List<Judgement> of(Verdict verdict) {
    return judgements.stream().filter(each -> each.verdict() == verdict).toList();
  }

  /** How many claims of a paper were tested: the family of the correction. */
  long family(Paper paper) {
    return judgements.stream().filter(each -> each.claim().paper() == paper).count();
  }

  /** What differs from the paper in an experiment, in sentences. */
  List<String> departures(String experiment) {
    return departures.getOrDefault(experiment, List.of());
  }
}
