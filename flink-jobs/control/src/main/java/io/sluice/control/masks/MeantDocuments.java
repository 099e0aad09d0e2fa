package io.sluice.control.masks;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The documents of some domains that a predicate means, of those that their corpora have now: what
 * comes later is in no set. Documents behind a domain's end are none.
 */
public final class MeantDocuments {
  /** Most documents that one predicate may mean. */
  public static final int MOST = 1_000_000;

  /** Looks into ranges of files that a corpus names. */
  @FunctionalInterface
  public interface Ranges {
    /**
     * Reads a range.
     *
     * @param offset of the range in the domain's corpus
     * @param documents takes those in it, none of a range that no block has
     * @throws BadInputException if nobody can say which documents are in it
     */
    void read(
        String domain, long offset, DocumentRange range, Consumer<SpecificRecordBase> documents);
  }

  private final DocumentPredicate predicate;
  private final Ranges ranges;
  private final Map<String, String> domains = new HashMap<>();
  private final Set<String> ended = new TreeSet<>();
  private final SortedMap<String, Set<DocumentKey>> meant = new TreeMap<>();
  private long seen;
  private long found;

  private MeantDocuments(DocumentPredicate predicate, Ranges ranges) {
    this.predicate = predicate;
    this.ranges = ranges;
  }

  /**
   * Reads the corpora of these domains.
   *
   * @throws BadInputException if more documents are meant than one predicate may mean, or a range
   *     cannot be read
   */
  public static MeantDocuments read(
      KafkaAccess access, Collection<String> domains, DocumentPredicate predicate, Ranges ranges) {
    MeantDocuments meant = new MeantDocuments(predicate, ranges);
    domains.forEach(domain -> meant.domains.put(access.topics().corpus(domain), domain));
    new TopicScan(access).read(List.copyOf(meant.domains.keySet()), meant::take);
    return meant;
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    String domain = Objects.requireNonNull(domains.get(message.topic()));
    if (ended.contains(domain)) {
      return;
    }
    SpecificRecordBase record = TopicScan.read(SpecificRecordBase.class, message).orElse(null);
    if (record instanceof DocumentRange range) {
      ranges.read(domain, message.offset(), range, document -> take(domain, document));
    } else if (record instanceof EndOfDomain end && end.getDomain().equals(domain)) {
      ended.add(domain);
    } else if (record != null) {
      take(domain, record);
    }
  }

  private void take(String domain, SpecificRecordBase record) {
    if (record instanceof Document document) {
      take(domain, document.getId(), document.getOrigin(), document.getProperties());
    } else if (record instanceof TokenDocument document) {
      take(domain, document.getId(), document.getOrigin(), document.getProperties());
    }
  }

  void take(String domain, String id, String origin, Map<String, String> properties) {
    seen++;
    if (predicate.test(id, origin, properties)
        && meant.computeIfAbsent(domain, of -> new TreeSet<>()).add(DocumentKey.of(domain, id))
        && ++found > MOST) {
      throw new BadInputException(
          "--where must mean at most " + MOST + " documents: more meet '" + predicate + "'");
    }
  }

  /** Documents that were looked at. */
  public long seen() {
    return seen;
  }

  /** Documents that are meant. */
  public long found() {
    return found;
  }

  /** The documents that are meant, by domain. */
  public Map<String, Integer> byDomain() {
    Map<String, Integer> counts = new TreeMap<>();
    meant.forEach((domain, keys) -> counts.put(domain, keys.size()));
    return counts;
  }

  /** The same as sets. */
  public List<DocumentHashes> sets() {
    return DocumentHashes.of(meant);
  }
}
