package io.sluice.schema.segment;

import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Domains of a dataset whose blocks are in place: in files of others, where they lie. */
public final class InPlace {
  private InPlace() {}

  /** The sources of a domain that is in place; none if it is not. */
  public static List<DatasetSource> sources(DatasetSpec spec, String domain) {
    return spec.getSources().stream()
        .filter(source -> source.getInPlace() && source.getDomain().equals(domain))
        .toList();
  }

  /** Names of the domains that are in place. */
  public static Set<String> domains(DatasetSpec spec) {
    return spec.getSources().stream()
        .filter(DatasetSource::getInPlace)
        .map(DatasetSource::getDomain)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The dataset without domains that are in place: those whose documents are made blocks of. */
  public static DatasetSpec without(DatasetSpec spec) {
    Set<String> inPlace = domains(spec);
    return inPlace.isEmpty()
        ? spec
        : DatasetSpec.newBuilder(spec)
            .setDomains(
                spec.getDomains().stream().filter(domain -> !inPlace.contains(domain)).toList())
            .build();
  }
}
