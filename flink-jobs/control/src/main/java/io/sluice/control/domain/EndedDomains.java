package io.sluice.control.domain;

import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.KafkaAccess;
import java.util.List;
import java.util.Map;

/** Which domains of a deployment have ended, and what people can do about it. */
public record EndedDomains(KafkaAccess access) {
  /**
   * Whether the domain has an end marker, as far as can be told without reading its corpus: its
   * last record is one, or a dataset has prepared the domain to its end. Whoever writes behind a
   * marker hides it from the first.
   *
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  public boolean has(String domain) {
    Map<String, CorpusEnd> corpora = new CorpusEnds(access).of(List.of(domain));
    return corpora.values().stream().anyMatch(CorpusEnd::marked)
        || new DatasetCatalog(access)
            .all().stream()
                .filter(dataset -> dataset.getDomains().contains(domain))
                .map(dataset -> PreparedDomains.read(access, dataset.getName()).get(domain))
                .anyMatch(supply -> supply != null && supply.getEnded());
  }

  /** What to do with more of a domain that has ended, in a sentence. */
  public static String goOn(String domain) {
    return String.format(
        "More of it can be a domain of its own, such as '%1$s-2': add that to the dataset's domains"
            + " and apply it again, ingest into it, and let runs have it with 'sluice run domain"
            + " RUN --add %1$s-2=SHARE'",
        domain);
  }
}
