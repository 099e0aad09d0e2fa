package io.sluice.cli.plan;

import io.sluice.cli.plan.form.KubernetesName;
import io.sluice.cli.plan.need.Demand;
import io.sluice.cli.plan.need.PlannedRun;
import io.sluice.cli.plan.need.PlannedUser;
import io.sluice.cli.plan.need.Quotas;
import io.sluice.cli.plan.need.Quotas.Quota;
import io.sluice.control.rights.Role;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.segment.InPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Who takes part, and with which rights.
 *
 * @param demands on each dataset
 * @param quotas empty where nobody says how fast runs are trained on
 */
record PlannedUsers(
    Topics topics,
    Map<DatasetSpec, Demand> demands,
    List<RefineSpec> refineries,
    List<PlannedRun> runs,
    Optional<Quotas> quotas) {
  /** All of them: the operator, the jobs, producers of domains and trainers of runs. */
  List<PlannedUser> all() {
    Map<String, DatasetSpec> datasets =
        demands.keySet().stream()
            .collect(Collectors.toMap(DatasetSpec::getName, dataset -> dataset));
    List<PlannedUser> users = new ArrayList<>();
    users.add(user("operator", "operator", "operator", new Role.Operator(), Quota.NONE));
    Quota ofJobs = quotas.map(each -> each.jobs(runs, datasets)).orElse(Quota.NONE);
    users.add(user("jobs", "job", "job", new Role.Job(), ofJobs));
    for (String domain : ingested()) {
      users.add(
          user(
              "producer-" + domain,
              "producer of " + domain,
              "producer --domain " + domain,
              new Role.Producer(domain),
              quotas.map(each -> each.producer(domain, demands, runs)).orElse(Quota.NONE)));
    }
    for (PlannedRun run : runs) {
      String name = run.spec().getRun();
      String dataset = run.spec().getDataset();
      DatasetSpec data = Objects.requireNonNull(datasets.get(dataset));
      users.add(
          user(
              "trainer-" + name,
              "trainer of " + name,
              "trainer --run " + name + " --dataset " + dataset,
              new Role.Trainer(name, dataset),
              quotas.map(each -> each.trainer(run, data)).orElse(Quota.NONE)));
    }
    return users;
  }

  /** Domains whose documents somebody brings: no refinery writes them, and no file is in place. */
  private Set<String> ingested() {
    Set<String> domains = new TreeSet<>();
    demands.keySet().forEach(dataset -> domains.addAll(InPlace.without(dataset).getDomains()));
    refineries.forEach(refinery -> domains.addAll(refinery.getInputs()));
    refineries.forEach(refinery -> domains.removeAll(refinery.getDomains()));
    return domains;
  }

  private PlannedUser user(String name, String does, String asked, Role role, Quota quota) {
    String user = KubernetesName.user(topics, name);
    return new PlannedUser(
        user, does, "sluice rights " + asked + " --user " + user, role.rights(topics), quota);
  }
}
