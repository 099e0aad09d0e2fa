package io.sluice.cli.doctor;

import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which topics somebody of a deployment owns. */
final class TopicOwners {
  private static final String DELETED = "deleted";

  private final Topics topics;
  private final Set<String> owned = new HashSet<>();

  /** Those of a deployment, whatever of their topics there is. */
  TopicOwners(Topics topics, Deployment deployment) {
    this.topics = topics;
    owned.addAll(TopicInspection.serviceTopics(topics));
    deployment.datasets().forEach(this::add);
    for (RefineSpec refinery : deployment.refineries()) {
      owned.add(topics.refined(refinery.getName()));
      owned.add(topics.answers(refinery.getName()));
    }
    for (RunCatalog.Entry run : deployment.runs()) {
      if (!run.phase().equals(DELETED)) {
        owned.add(topics.control(run.runId()));
        owned.add(topics.stream(run.name()));
        owned.add(topics.feedback(run.name()));
      }
    }
  }

  private void add(DatasetSpec dataset) {
    String name = dataset.getName();
    owned.addAll(
        List.of(
            topics.supply(name),
            topics.releases(name),
            topics.lineage(name),
            topics.segments(name)));
    for (String domain : dataset.getDomains()) {
      owned.add(topics.blocks(name, domain));
      owned.add(topics.eval(name, domain));
    }
  }

  /** Those of these names under the prefix that nobody owns, and no deployment below it has. */
  List<String> orphans(Collection<String> names) {
    Set<String> others = below(names);
    return names.stream()
        .filter(name -> !isOwned(name) && others.stream().noneMatch(name::startsWith))
        .sorted()
        .toList();
  }

  /** A domain is known by its corpus, and what a purge leaves is that of the topic's owner. */
  private boolean isOwned(String name) {
    String corpus = topics.corpus("");
    return owned.contains(name)
        || (name.startsWith(corpus)
            && Topics.NAME.matcher(name.substring(corpus.length())).matches())
        || owned.stream().anyMatch(each -> topics.purging(each).equals(name));
  }

  /** Prefixes of other deployments that begin with this one's. */
  private Set<String> below(Collection<String> names) {
    String table = topics.datasets().substring(topics.datasetsPrefix().length());
    return names.stream()
        .filter(name -> name.endsWith(table) && !name.equals(topics.datasets()))
        .map(name -> name.substring(0, name.length() - table.length()))
        .filter(prefix -> names.contains(new Topics(prefix).runs()))
        .collect(Collectors.toSet());
  }
}
