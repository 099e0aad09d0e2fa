package io.sluice.jobs.prepare.read;

import io.sluice.control.domain.EndedDomains;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Limits;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/** Decides what a record of a corpus topic is: a document, the end of its domain, or unusable. */
final class CorpusReader {
  /** The outcome for one record. */
  sealed interface Reading {
    /** The record is used. */
    record Accepted(DomainEvent event) implements Reading {}

    /**
     * The record goes to the dead letters.
     *
     * @param domain that it counts in; empty for one of no domain, or of one that has ended
     */
    record Refused(Optional<String> domain, String reason) implements Reading {}

    /** A record of a file that the corpus names is no document. */
    @SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
    record RefusedInFile(String domain, String file, long line, String reason, byte[] payload)
        implements Reading {}

    /** A range of a file is not what it was, and none of its documents is used. */
    record Lost(RangeRefused event) implements Reading {}

    /** What is in a range of a file, in its order. */
    record Several(List<Reading> readings) implements Reading {}
  }

  private final Map<String, String> domainByTopic = new HashMap<>();
  private final Topics topics;
  private final List<String> domains;
  private final DocumentReader documents;
  private final EndMarkers markers;
  private final RangeDocuments ranges;

  /**
   * A reader of the dataset's corpus topics.
   *
   * @param markers end markers seen so far; the reader adds to them
   * @param ranges reads files that the corpus names
   */
  CorpusReader(
      DatasetSpec spec,
      Topics topics,
      Tokenizer tokenizer,
      EndMarkers markers,
      RangeDocuments ranges) {
    spec.getDomains().forEach(domain -> domainByTopic.put(topics.corpus(domain), domain));
    this.topics = topics;
    this.domains = spec.getDomains();
    this.documents = new DocumentReader(spec, tokenizer);
    this.markers = markers;
    this.ranges = ranges;
  }

  /**
   * Takes the next record of a partition. What depends on the records before it is decided here;
   * what is left, the tokenizing of a text, may be done on any thread and at any time.
   */
  Task read(CorpusRecord input) {
    String domain = domainByTopic.get(input.topic());
    if (domain == null) {
      return refused(
          Optional.empty(),
          "domain '"
              + input.topic().substring(topics.corpus("").length())
              + "' is not one of the dataset's "
              + domains);
    }
    if (markers.closed(domain, input.offset())) {
      return refused(
          Optional.empty(),
          "after the end marker of domain '"
              + domain
              + "' at offset "
              + markers.offsetOf(domain)
              + ": an ended domain takes no more documents. "
              + EndedDomains.goOn(domain));
    }
    try {
      return understand(domain, input.offset(), WireCodec.decode(input.value()));
    } catch (WireFormatException e) {
      return refused(Optional.of(domain), String.valueOf(e.getMessage()));
    }
  }

  private Task understand(String domain, long offset, SpecificRecordBase message) {
    if (message instanceof Document || message instanceof TokenDocument) {
      return new Task(0, () -> documents.read(domain, message));
    }
    if (message instanceof PurgedDocument purged) {
      return documents.purged(domain, purged);
    }
    if (message instanceof DocumentRange range) {
      return ranges.begin(domain, offset, range, found -> documents.read(domain, found));
    }
    if (message instanceof EndOfDomain marker) {
      if (!marker.getDomain().equals(domain)) {
        return refused(
            Optional.of(domain),
            "end marker of domain '"
                + Limits.shown(marker.getDomain())
                + "' in the corpus of '"
                + domain
                + "'");
      }
      markers.add(domain, offset);
      return Task.of(new Reading.Accepted(new CorpusEnded(domain)));
    }
    return refused(
        Optional.of(domain),
        "expected Document, TokenDocument, DocumentRange, PurgedDocument or EndOfDomain, found "
            + message.getSchema().getName());
  }

  private static Task refused(Optional<String> domain, String reason) {
    return Task.of(new Reading.Refused(domain, reason));
  }
}
