package io.sluice.jobs.prepare.read;

import io.sluice.control.domain.EndedDomains;
import io.sluice.control.domain.TextSpans;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.RangeRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Limits;
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
  private final Tokenizer tokenizer;
  private final FillInTheMiddle gaps;
  private final DocumentBegin begin;
  private final GivenTokens tokenIds;
  private final HeldOutRule split;
  private final boolean anyHeldOut;
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
    this.tokenizer = tokenizer;
    this.gaps = new FillInTheMiddle(spec, tokenizer);
    this.begin = new DocumentBegin(spec);
    this.tokenIds = new GivenTokens(tokenizer.identity(), tokenizer.vocabulary());
    this.split = HeldOutRule.of(spec);
    this.anyHeldOut = spec.getHeldOut() > 0 || spec.getHeldOutTokens() > 0;
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
      return new Task(0, () -> document(domain, message));
    }
    if (message instanceof DocumentRange range) {
      return ranges.begin(domain, offset, range, found -> document(domain, found));
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
        "expected Document, TokenDocument, DocumentRange or EndOfDomain, found "
            + message.getSchema().getName());
  }

  private static Task refused(Optional<String> domain, String reason) {
    return Task.of(new Reading.Refused(domain, reason));
  }

  private Reading document(String domain, SpecificRecordBase document) {
    return document instanceof Document text
        ? tokenize(domain, text)
        : take(domain, (TokenDocument) document);
  }

  private Reading tokenize(String domain, Document document) {
    String text = document.getText();
    List<Integer> bounds;
    byte[] tokens;
    int[] counted;
    try {
      Limits.requireDocumentId(document.getId());
      bounds = TextSpans.bounds(document.getTrained(), text);
    } catch (IllegalArgumentException e) {
      return new Reading.Refused(Optional.of(domain), String.valueOf(e.getMessage()));
    }
    try {
      // Where spans count, a gap would tear them.
      tokens = bounds == null ? gaps.encode(text) : tokenizer.encode(text);
      counted = TrainedSpans.counted(bounds, text, tokens, tokenizer);
    } catch (RuntimeException | StackOverflowError e) {
      // A text that the tokenizer's library cannot take must not stop the domain behind it.
      return new Reading.Refused(
          Optional.of(domain),
          "document '" + Limits.shown(document.getId()) + "' cannot be tokenized: " + e);
    }
    // Hashing a text takes a tenth of the time that its tokens take.
    long hash = anyHeldOut ? split.hash(text) : 0;
    return accepted(domain, document.getId(), begin.before(tokens), begin.before(counted), hash);
  }

  private Reading take(String domain, TokenDocument document) {
    byte[] tokens;
    try {
      Limits.requireDocumentId(document.getId());
      tokens = tokenIds.of(document);
    } catch (IllegalArgumentException e) {
      return new Reading.Refused(Optional.of(domain), String.valueOf(e.getMessage()));
    }
    long hash = anyHeldOut ? split.hash(tokens) : 0;
    return accepted(domain, document.getId(), tokens, TokenizedDocument.ALL, hash);
  }

  private Reading accepted(String domain, String id, byte[] tokens, int[] counted, long hash) {
    boolean heldOut = anyHeldOut && split.isHeldOut(hash);
    return new Reading.Accepted(new TokenizedDocument(domain, heldOut, hash, id, tokens, counted));
  }
}
