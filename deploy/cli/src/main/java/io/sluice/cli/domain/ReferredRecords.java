package io.sluice.cli.domain;

import io.sluice.control.history.TopicScan;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.IngestProgress;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.TopicDescription;

/** How many more records of files than ranges of these the corpora name, as ingests have said. */
record ReferredRecords(Map<String, Long> byDomain) {
  static ReferredRecords read(KafkaAccess access) {
    Map<String, IngestProgress> said = new HashMap<>();
    Map<String, Long> counts = new HashMap<>();
    Purges purges = new Purges(access);
    try (TopicAdmin admin = new TopicAdmin(access)) {
      if (admin.find(access.topics().ingested()).isEmpty()) {
        return new ReferredRecords(counts);
      }
      new TopicScan(access)
          .read(
              IngestProgress.class,
              access.topics().ingested(),
              progress -> said.put(progress.getDomain(), progress));
      said.values().removeIf(progress -> progress.getReferred() == 0);
      said.forEach(
          (domain, progress) ->
              admin
                  .find(access.topics().corpus(domain))
                  .filter(topic -> isOf(topic, progress.getCorpus(), purges))
                  .ifPresent(topic -> counts.put(domain, progress.getReferred())));
    }
    return new ReferredRecords(counts);
  }

  private static boolean isOf(TopicDescription topic, String corpus, Purges purges) {
    return topic.topicId().toString().equals(corpus)
        || purges.earlierIds(topic.name()).contains(corpus);
  }

  long of(String domain) {
    return byDomain.getOrDefault(domain, 0L);
  }
}
