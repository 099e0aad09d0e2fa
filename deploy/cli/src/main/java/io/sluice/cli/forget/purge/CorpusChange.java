package io.sluice.cli.forget.purge;

import io.sluice.control.domain.DocumentId;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.PurgedReading;
import io.sluice.schema.WireCodec;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a corpus has in the place of documents: a {@link PurgedDocument} for each. Documents of
 * files that the corpus only names are not in it.
 *
 * @param documents ids of those of the domain
 * @param readings what the datasets that have the domain make of a document
 */
record CorpusChange(
    Set<String> documents, Function<SpecificRecordBase, List<PurgedReading>> readings)
    implements PurgeTopics.Removal {

  @Override
  public byte @Nullable [] apply(ConsumerRecord<byte[], byte[]> record) {
    SpecificRecordBase found = TopicScan.read(SpecificRecordBase.class, record).orElse(null);
    return found == null
        ? record.value()
        : DocumentId.of(found)
            .filter(documents::contains)
            .map(id -> WireCodec.encode(new PurgedDocument(id, readings.apply(found))))
            .orElse(record.value());
  }

  @Override
  public boolean names(ConsumerRecord<byte[], byte[]> record) {
    return TopicScan.read(PurgedDocument.class, record)
        .filter(purged -> documents.contains(purged.getId()))
        .isPresent();
  }
}
