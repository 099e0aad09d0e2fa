package io.sluice.cli.ingest.corpus;

import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.error.BadInputException;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import java.util.Set;
import java.util.TreeSet;

/** The domains that a deployment knows: those with a corpus, and those that a dataset names. */
final class KnownDomains {
  private KnownDomains() {}

  /**
   * Makes the domain's corpus topic when it is missing.
   *
   * @param create false to refuse a domain that no dataset names while there are datasets
   * @return Kafka's id of the topic
   * @throws BadInputException if the domain is refused, listing the known ones, or documents of it
   *     are being purged
   */
  static String open(KafkaAccess access, String domain, boolean create) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
      new Purges(access).requireDomain(domain);
      if (!create) {
        requireKnown(access, domain);
      }
      return admin.ensureCorpus(domain);
    }
  }

  private static void requireKnown(KafkaAccess access, String domain) {
    Set<String> known = new TreeSet<>();
    new DatasetCatalog(access).all().forEach(spec -> known.addAll(spec.getDomains()));
    if (known.isEmpty() || known.contains(domain)) {
      return;
    }
    Set<String> corpora = new CorpusEnds(access).domains();
    if (!corpora.contains(domain)) {
      known.addAll(corpora);
      throw new BadInputException(
          "domain must be one of "
              + String.join(", ", known)
              + ": '"
              + domain
              + "'; --create makes a new one");
    }
  }
}
