package io.sluice.jobs.prepare.log;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.TopicReader;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those of a dataset's domains, from the topic of sets. A record whose content is no set is passed
 * over.
 */
final class ForgottenSets implements ForgottenDocuments {
  private static final Logger LOG = LoggerFactory.getLogger(ForgottenSets.class);

  /** A checkpoint waits no longer for what the next one finds as well. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final String topic;
  private final Set<String> domains;
  private final TopicReader reader;
  private final Map<String, DocumentKeys> forgotten = new HashMap<>();

  /** What the topic has now. */
  ForgottenSets(KafkaAccess kafka, DatasetSpec spec, Duration patience) {
    topic = kafka.topics().sets();
    domains = Set.copyOf(spec.getDomains());
    reader = TopicReader.uncommitted(kafka);
    reader.catchUp(topic, patience, this::take);
  }

  @Override
  public void look() {
    try {
      reader.catchUp(topic, PATIENCE, this::take);
    } catch (KafkaUnreachableException e) {
      LOG.info("Sets of documents are not read now: {}", e.getMessage());
    }
  }

  @Override
  public DocumentKeys of(String domain) {
    return forgotten.getOrDefault(domain, DocumentKeys.NONE);
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    DocumentSet said = TopicScan.read(DocumentSet.class, message).orElse(null);
    if (said == null || !said.getForgotten()) {
      return;
    }
    try {
      DocumentHashes set = DocumentHashes.of(said);
      set.domains().stream().filter(domains::contains).forEach(each -> add(each, set.of(each)));
    } catch (IllegalArgumentException e) {
      LOG.warn("Offset {} of {} is no set: {}", message.offset(), topic, e.getMessage());
    }
  }

  private void add(String domain, DocumentKeys documents) {
    DocumentKeys more = documents.without(of(domain));
    if (more.size() > 0) {
      forgotten.put(domain, of(domain).with(more));
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
