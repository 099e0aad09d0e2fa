package io.sluice.cli.run;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunRevision;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DomainShare;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run domain}. */
@Command(
    name = "domain",
    description = {
      "Add domains of the dataset to a run, or take domains out of it, from the next granted batch"
          + " on.",
      "The other domains divide the rest in their old proportions, and the policy starts anew from"
          + " those weights. A domain that was taken out cannot come back."
    })
final class DomainCommand extends RevisionCommand {
  @Option(
      names = "--add",
      paramLabel = "DOMAIN=SHARE",
      description = "A domain and its share of the mixture, in [0, 1).")
  private Map<String, Double> added = new LinkedHashMap<>();

  @Option(names = "--remove", paramLabel = "DOMAIN", description = "A domain that gets no seat.")
  private List<String> removed = new ArrayList<>();

  @Override
  public void run() {
    if (added.isEmpty() && removed.isEmpty()) {
      throw new BadInputException("give at least one of --add DOMAIN=SHARE and --remove DOMAIN");
    }
    RunFold fold = live();
    RunSpec now = fold.spec();
    RunApplication application = new RunApplication(access(), RunAdmin.commands(access()));
    DatasetSpec data = application.dataset(now.getDataset());
    RunSpec wanted = RunRevision.domains(now, added, removed, data.getDomains());
    List<DomainShare> shares =
        added.entrySet().stream().map(e -> new DomainShare(e.getKey(), e.getValue())).toList();
    String why = "domains changed by hand: " + described();
    RunAdmin.Answer answer =
        ask(fold, new ReviseRun(wanted, shares, why, fold.state().position().serial(), List.of()));
    report(answer, "domains " + weights(answer));
  }

  private String described() {
    List<String> parts = new ArrayList<>();
    added.forEach((domain, share) -> parts.add("added " + domain + " at " + share));
    removed.forEach(domain -> parts.add("removed " + domain));
    return String.join(", ", parts);
  }
}
