package io.sluice.cli.ingest;

import io.sluice.control.error.Answers;
import io.sluice.control.error.BadInputException;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;

/** The domains that a deployment knows: those with a corpus, and those that a dataset names. */
final class KnownDomains {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private KnownDomains() {}

  /**
   * Makes the domain's corpus topic when it is missing.
   *
   * @param create false to refuse a domain that no dataset names while there are datasets
   * @throws BadInputException if the domain is refused, listing the known ones
   */
  static void open(KafkaAccess access, String domain, boolean create) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
      if (!create) {
        requireKnown(access, domain);
      }
      admin.ensureCorpus(domain);
    }
  }

  private static void requireKnown(KafkaAccess access, String domain) {
    Set<String> known = new TreeSet<>();
    new DatasetCatalog(access).all().forEach(spec -> known.addAll(spec.getDomains()));
    if (known.isEmpty() || known.contains(domain)) {
      return;
    }
    Set<String> corpora = corpora(access);
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

  private static Set<String> corpora(KafkaAccess access) {
    String prefix = access.topics().corpus("");
    Set<String> domains = new TreeSet<>();
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      String what = "listing the topics of Kafka at " + access.bootstrapServers();
      for (String topic : Answers.await(admin.listTopics().names(), PATIENCE, what)) {
        if (topic.startsWith(prefix)) {
          domains.add(topic.substring(prefix.length()));
        }
      }
      return domains;
    }
  }
}
