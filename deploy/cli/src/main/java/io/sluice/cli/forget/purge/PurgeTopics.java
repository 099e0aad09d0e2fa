package io.sluice.cli.forget.purge;

import io.sluice.control.topics.BlockBatches;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.PurgedReading;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The topics that may have some documents, and what is changed in each. */
final class PurgeTopics {
  private static final int CORPUS_BATCH = 256 << 10;

  private final SortedMap<String, ? extends Set<String>> documents;
  private final List<DatasetSpec> datasets;
  private final Map<String, Rewriting> all = new LinkedHashMap<>();

  /**
   * How a topic is written without the documents.
   *
   * @param producer settings with which it was written: a reader of many domains counts on the size
   *     of batches
   */
  record Rewriting(Removal removal, Map<String, Object> producer) {}

  /**
   * The topics of some documents.
   *
   * @param documents their ids, by domain
   * @param datasets all that have one of the domains
   * @param readings what a dataset makes of a document of a domain
   */
  PurgeTopics(
      Topics topics,
      SortedMap<String, ? extends Set<String>> documents,
      List<DatasetSpec> datasets,
      Readings readings) {
    this.documents = documents;
    this.datasets = datasets;
    documents.forEach(
        (domain, ids) -> all.put(topics.corpus(domain), corpus(domain, ids, readings)));
    for (DatasetSpec dataset : datasets) {
      documents.forEach(
          (domain, ids) -> {
            if (dataset.getDomains().contains(domain)) {
              Rewriting blocks = blocks(dataset, domain, ids);
              all.put(topics.blocks(dataset.getName(), domain), blocks);
              all.put(topics.eval(dataset.getName(), domain), blocks);
            }
          });
    }
  }

  /** What stands in the place of documents. */
  interface Removal extends TopicCopy.Change {
    /** Whether a record names a document that was removed from it. */
    boolean names(ConsumerRecord<byte[], byte[]> record);
  }

  /** What a dataset's job makes of a document of a domain. */
  interface Readings extends BiFunction<DatasetSpec, String, Readings.OfDocument> {
    /** Of each document. */
    interface OfDocument {
      PurgedReading of(SpecificRecordBase document);
    }
  }

  /** By their names. */
  Map<String, Rewriting> all() {
    return all;
  }

  /** How one is written. */
  Rewriting of(String topic) {
    Rewriting found = all.get(topic);
    if (found == null) {
      throw new IllegalStateException(topic + " has none of the documents");
    }
    return found;
  }

  SortedSet<String> domains() {
    return new TreeSet<>(documents.keySet());
  }

  /** Names of the datasets. */
  SortedSet<String> datasets() {
    SortedSet<String> names = new TreeSet<>();
    datasets.forEach(dataset -> names.add(dataset.getName()));
    return names;
  }

  private Rewriting corpus(String domain, Set<String> ids, Readings readings) {
    List<Readings.OfDocument> each = new ArrayList<>();
    datasets.stream()
        .filter(dataset -> dataset.getDomains().contains(domain))
        .forEach(dataset -> each.add(readings.apply(dataset, domain)));
    return new Rewriting(
        new CorpusChange(ids, document -> each.stream().map(one -> one.of(document)).toList()),
        Map.of("compression.type", "lz4", "batch.size", CORPUS_BATCH));
  }

  private static Rewriting blocks(DatasetSpec dataset, String domain, Set<String> ids) {
    return new Rewriting(
        BlockChange.of(dataset, domain, ids),
        Map.of("batch.size", BlockBatches.bytes(dataset.getDomains().size())));
  }
}
