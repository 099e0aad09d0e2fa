package io.sluice.cli.run;

import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.Regrouping;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run regroup}. */
@Command(
    name = "regroup",
    description = {
      "Split a domain of a run, merge some, or divide them in another way, from the next granted"
          + " batch on.",
      "The new domains share the weight that the old ones have then, to the last unit, and no other"
          + " weight moves. The old ones are taken out and cannot come back.",
      "The policy starts anew from these weights, which stay until its first round closes: for more"
          + " than one and at most two times its rounds' steps, which may be granted at once. What"
          + " was measured for the round that is open decides nothing."
    })
final class RegroupCommand extends RevisionCommand {
  @Option(
      names = "--from",
      required = true,
      split = ",",
      paramLabel = "DOMAIN",
      description = "Domains of the run that are taken out.")
  private List<String> from = new ArrayList<>();

  @Option(
      names = "--into",
      required = true,
      split = ",",
      paramLabel = "DOMAIN",
      description =
          "Domains of the dataset in their place. One that the run has already keeps its own"
              + " weight, too.")
  private List<String> into = new ArrayList<>();

  @Option(
      names = "--share",
      split = ",",
      paramLabel = "DOMAIN=SHARE",
      description =
          "Share of each of --into in the weight of --from, in (0, 1]. Default: by tokens that are"
              + " prepared; of domains that have ended all are waited for, up to --timeout.")
  private Map<String, Double> shares = new LinkedHashMap<>();

  @Override
  public void run() {
    RunFold fold = live();
    RunSpec now = fold.spec();
    DatasetSpec data =
        new RunApplication(access(), RunAdmin.commands(access())).dataset(now.getDataset());
    Regrouping regrouping;
    RunSpec wanted;
    try (PreparedDomains prepared = new PreparedDomains(access(), data.getName())) {
      regrouping = regrouping(data, prepared);
      wanted = regrouping.revised(now, data.getDomains());
      regrouping.requireMeasurable(now, prepared.now());
    }
    ReviseRun body =
        new ReviseRun(
            wanted,
            List.of(),
            "domains regrouped by hand: " + regrouping,
            fold.state().position().serial(),
            regrouping.inheritances());
    RunAdmin.Answer answer = ask(fold, body);
    report(answer, regrouping + ": weights " + weights(answer));
  }

  private Regrouping regrouping(DatasetSpec data, PreparedDomains prepared) {
    requireOnce("--from", from);
    requireOnce("--into", into);
    for (String domain : into) {
      if (!data.getDomains().contains(domain)) {
        throw new BadInputException(
            "--into must name domains of the dataset, %s: '%s'"
                .formatted(data.getDomains(), domain));
      }
    }
    if (shares.isEmpty()) {
      return Regrouping.byTokens(access(), prepared, from, into, Duration.ofSeconds(timeout));
    }
    if (!shares.keySet().equals(Set.copyOf(into))) {
      throw new BadInputException(
          "--share must be given for each of --into, " + into + ": " + shares.keySet());
    }
    return new Regrouping(from, shares);
  }

  private static void requireOnce(String option, List<String> domains) {
    if (domains.stream().distinct().count() < domains.size()) {
      throw new BadInputException(option + " must name each domain once: " + domains);
    }
  }
}
