package io.sluice.control.masks;

import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.RecordWriter;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TopicReader;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic of sets of documents. A record whose content is no set is passed over, and one that
 * claims another name than its content has is known by its content: nobody is misled by a key.
 */
public record DocumentSets(KafkaAccess access) {
  private static final Logger LOG = LoggerFactory.getLogger(DocumentSets.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Hands on every set that the topic has, with its record; nothing if there is no topic. */
  public void forEach(BiConsumer<DocumentHashes, DocumentSet> sink) {
    String topic = access.topics().sets();
    try (TopicReader reader = TopicReader.uncommitted(access)) {
      reader.catchUp(
          topic,
          PATIENCE,
          message ->
              TopicScan.read(DocumentSet.class, message)
                  .ifPresent(record -> take(record, message.offset(), sink)));
    }
  }

  private static void take(
      DocumentSet record, long offset, BiConsumer<DocumentHashes, DocumentSet> sink) {
    DocumentHashes set;
    try {
      set = DocumentHashes.of(record);
    } catch (IllegalArgumentException e) {
      LOG.warn("offset {} of the topic of sets is no set: {}", offset, e.getMessage());
      return;
    }
    sink.accept(set, record);
  }

  /** All documents of some domains that are to be forgotten. */
  public SortedMap<String, SortedSet<DocumentKey>> forgotten(Set<String> domains) {
    SortedMap<String, SortedSet<DocumentKey>> found = new TreeMap<>();
    forEach(
        (set, record) -> {
          if (record.getForgotten()) {
            set.addTo(domains, found);
          }
        });
    return found;
  }

  /**
   * Writes those sets that are not there yet, or not as ones that everybody forgets.
   *
   * @param why for people
   * @return those that were written
   */
  public List<DocumentHashes> add(List<DocumentHashes> sets, boolean forgotten, String why) {
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureSets();
    }
    Set<String> there = new HashSet<>();
    forEach(
        (set, record) -> {
          if (record.getForgotten() || !forgotten) {
            there.add(set.name());
          }
        });
    List<DocumentHashes> lacking =
        sets.stream().filter(set -> !there.contains(set.name())).toList();
    String topic = access.topics().sets();
    long now = InstantSource.system().millis();
    lacking.forEach(
        set ->
            RecordWriter.write(
                access, topic, set.name(), set.record(forgotten, why, now), PATIENCE));
    return lacking;
  }
}
