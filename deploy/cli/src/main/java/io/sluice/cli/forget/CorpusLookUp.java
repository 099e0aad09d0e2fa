package io.sluice.cli.forget;

import io.sluice.control.domain.DocumentId;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * What corpora have of some documents.
 *
 * @param domains whose corpora were read
 * @param found ids of those that are there by themselves, or were until they were purged, by domain
 * @param inFiles records of files that the corpora name in place of documents, which are not read
 */
record CorpusLookUp(Set<String> domains, Map<String, Set<String>> found, long inFiles) {
  /**
   * Reads corpora, which exist, to where they end now.
   *
   * @param wanted whether a document of a domain is asked for, by its id
   * @throws io.sluice.schema.KafkaUnreachableException if no broker answers
   */
  static CorpusLookUp read(
      KafkaAccess access, Set<String> domains, BiPredicate<String, String> wanted) {
    Map<String, String> byTopic = new HashMap<>();
    domains.forEach(domain -> byTopic.put(access.topics().corpus(domain), domain));
    Map<String, Set<String>> found = new HashMap<>();
    long[] inFiles = {0};
    new TopicScan(access)
        .read(
            List.copyOf(byTopic.keySet()),
            message -> {
              String domain = byTopic.getOrDefault(message.topic(), "");
              Optional<SpecificRecordBase> record =
                  TopicScan.read(SpecificRecordBase.class, message);
              if (record.orElse(null) instanceof DocumentRange range) {
                inFiles[0] += Math.max(0, range.getRecords());
              }
              record
                  .flatMap(DocumentId::ofOneThatWas)
                  .filter(id -> wanted.test(domain, id))
                  .ifPresent(id -> found.computeIfAbsent(domain, of -> new HashSet<>()).add(id));
            });
    return new CorpusLookUp(Set.copyOf(domains), found, inFiles[0]);
  }
}
