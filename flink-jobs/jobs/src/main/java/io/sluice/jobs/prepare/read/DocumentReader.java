package io.sluice.jobs.prepare.read;

import io.sluice.control.domain.TextSpans;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.Limits;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.PurgedReading;
import io.sluice.schema.TokenDocument;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/** What a dataset makes of a document, or of what stands in its place. */
final class DocumentReader {
  /** What nothing is made of. */
  private static final Reading NOTHING = new Reading.Several(List.of());

  private final Tokenizer tokenizer;
  private final FillInTheMiddle gaps;
  private final DocumentBegin begin;
  private final GivenTokens tokenIds;
  private final PurgedTokens padding;
  private final HeldOutRule split;
  private final boolean anyHeldOut;

  DocumentReader(DatasetSpec spec, Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
    this.gaps = new FillInTheMiddle(spec, tokenizer);
    this.begin = new DocumentBegin(spec);
    this.tokenIds = new GivenTokens(tokenizer.identity(), tokenizer.vocabulary());
    this.padding = new PurgedTokens(spec);
    this.split = HeldOutRule.of(spec);
    this.anyHeldOut = spec.getHeldOut() > 0 || spec.getHeldOutTokens() > 0;
  }

  /** Reads a {@link Document} or a {@link TokenDocument}. */
  Reading read(String domain, SpecificRecordBase document) {
    return document instanceof Document text
        ? tokenize(domain, text)
        : take(domain, (TokenDocument) document);
  }

  /** Reads as the dataset had read the document; one that it had not is not there. */
  Task purged(String domain, PurgedDocument document) {
    PurgedReading made = padding.made(document).orElse(null);
    if (made == null) {
      return Task.of(NOTHING);
    }
    if (made.getRefused()) {
      // Its dead letter was written when it was there, and said more.
      return Task.of(new Reading.Accepted(new DocumentRefused(domain)));
    }
    try {
      Limits.requireDocumentId(document.getId());
      PurgedTokens.require(made);
    } catch (IllegalArgumentException e) {
      return Task.of(new Reading.Refused(Optional.of(domain), String.valueOf(e.getMessage())));
    }
    return new Task(
        padding.bytes(made),
        () ->
            accepted(
                domain,
                document.getId(),
                padding.tokens(made),
                PurgedTokens.counted(made),
                made.getDeciding()));
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
