package io.sluice.cli.domain;

import io.sluice.control.history.TopicScan;
import io.sluice.control.purge.Purges;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.corpus.record.RecordDigest;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.TopicReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Which of some documents the corpus of a domain has, by their ids and texts. One that was purged
 * there is not to come again, whatever its text.
 */
final class CorpusDocuments {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final KafkaAccess access;
  private final String topic;
  private final String corpus;
  private final Set<String> ids = new HashSet<>();
  private final Set<ByteBuffer> there = new HashSet<>();
  private final Set<String> purged = new HashSet<>();
  private long from = Long.MAX_VALUE;

  CorpusDocuments(KafkaAccess access, String domain) {
    this.access = access;
    this.topic = access.topics().corpus(domain);
    new Purges(access).requireDomain(domain);
    try (TopicAdmin admin = new TopicAdmin(access)) {
      this.corpus = admin.ensureCorpus(domain);
    }
  }

  /** Adds a document that may be there, at or behind where a letter of it says. */
  void lookFor(Document document, List<RefusedLetter> letters) {
    ids.add(document.getId());
    for (RefusedLetter each : letters) {
      boolean isOfThis = each.source().getCorpus().equals(corpus);
      from = Math.min(from, isOfThis ? each.offset() : 0);
    }
  }

  /** Reads the corpus to its end. */
  void find() {
    if (ids.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = new TopicScan(access).ends(List.of(topic));
    try (TopicReader reader = TopicReader.committed(access)) {
      if (from == 0) {
        reader.seekToStart(topic);
      } else {
        reader.seek(topic, from);
      }
      reader.readTo(ends, PATIENCE, this::take);
    }
  }

  /** Whether the corpus has not had a document before now; from now on it has. */
  boolean isNew(Document document) {
    return !purged.contains(document.getId()) && there.add(digest(document));
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    SpecificRecordBase record = TopicScan.read(SpecificRecordBase.class, message).orElse(null);
    if (record instanceof Document document && ids.contains(document.getId())) {
      there.add(digest(document));
    } else if (record instanceof PurgedDocument document && ids.contains(document.getId())) {
      purged.add(document.getId());
    }
  }

  private static ByteBuffer digest(Document document) {
    RecordDigest digest = new RecordDigest();
    digest.add(document.getId().getBytes(StandardCharsets.UTF_8));
    digest.add(document.getText().getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.wrap(digest.hash());
  }
}
