package io.sluice.cli.storage;

import io.sluice.control.runs.RunCatalog;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.Topics;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who of a deployment owns which topics, whether these are there or not. */
public final class TopicOwners {
  private final Topics topics;
  private final Map<String, Owner> owned = new HashMap<>();

  /** Those of a deployment. */
  public TopicOwners(Topics topics, Deployment deployment) {
    this.topics = topics;
    own(Owner.SERVICE, TopicInspection.serviceTopics(topics));
    deployment.datasets().forEach(this::add);
    for (RefineSpec refinery : deployment.refineries()) {
      String name = refinery.getName();
      own(new Owner(Owner.Kind.REFINERY, name), TopicInspection.refineryTopics(topics, name));
    }
    for (RunCatalog.Entry run : deployment.keptRuns()) {
      own(
          new Owner(Owner.Kind.RUN, run.name()),
          List.of(
              topics.control(run.runId()), topics.stream(run.name()), topics.feedback(run.name())));
    }
  }

  private void add(DatasetSpec dataset) {
    own(
        new Owner(Owner.Kind.DATASET, dataset.getName()),
        TopicInspection.datasetTopics(topics, dataset));
  }

  private void own(Owner owner, Collection<String> names) {
    names.forEach(name -> owned.put(name, owner));
  }

  /** The owner of each of these topics, which are all that there are under the prefix. */
  public SortedMap<String, Owner> of(Collection<String> names) {
    Set<String> others = below(names);
    Map<String, Owner> twins = new HashMap<>();
    owned.forEach(
        (name, owner) -> {
          if (name.startsWith(topics.datasetsPrefix())) {
            twins.put(topics.purging(name), owner);
          }
        });
    SortedMap<String, Owner> owners = new TreeMap<>();
    for (String name : names) {
      owners.put(
          name,
          Optional.ofNullable(owned.get(name))
              .or(() -> Optional.ofNullable(twins.get(name)))
              .or(() -> domain(name))
              .or(() -> others.stream().filter(name::startsWith).findFirst().map(this::another))
              .orElse(Owner.NOBODY));
    }
    return owners;
  }

  /** Those of these names under the prefix that nobody owns, and no deployment below it has. */
  public List<String> orphans(Collection<String> names) {
    return of(names).entrySet().stream()
        .filter(each -> each.getValue().equals(Owner.NOBODY))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** A domain is known by its corpus. */
  private Optional<Owner> domain(String name) {
    return List.of(topics.corpus(""), topics.purging(topics.corpus(""))).stream()
        .filter(name::startsWith)
        .map(before -> name.substring(before.length()))
        .filter(domain -> Topics.NAME.matcher(domain).matches())
        .map(domain -> new Owner(Owner.Kind.DOMAIN, domain))
        .findFirst();
  }

  private Owner another(String prefix) {
    return new Owner(Owner.Kind.DEPLOYMENT, prefix);
  }

  /** Prefixes of other deployments: those that begin with this one's, and that of its datasets. */
  private Set<String> below(Collection<String> names) {
    String table = topics.datasets().substring(topics.datasetsPrefix().length());
    Stream<String> shared =
        topics.ownsDatasets() ? Stream.empty() : Stream.of(topics.datasetsPrefix());
    Stream<String> others =
        names.stream()
            .filter(name -> name.endsWith(table) && !name.equals(topics.datasets()))
            .map(name -> name.substring(0, name.length() - table.length()))
            .filter(prefix -> names.contains(new Topics(prefix).runs()));
    return Stream.concat(shared, others).collect(Collectors.toSet());
  }
}
