package io.sluice.jobs.refine.decide;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.decide.Examined;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Limits;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * Tells what a record of an input is, and has the steps look at a document. Thread-safe.
 *
 * @param steps of the specification
 */
record RecordExaminer(DocumentSteps steps) {
  /**
   * Examines a record, on any thread.
   *
   * @param domain that it is of
   */
  Examined examine(String domain, byte[] value) {
    SpecificRecordBase message;
    try {
      message = WireCodec.decode(value);
    } catch (WireFormatException e) {
      return new Examined.Refused(String.valueOf(e.getMessage()));
    }
    if (message instanceof Document document) {
      return examine(document);
    }
    if (message instanceof PurgedDocument) {
      return new Examined.Purged();
    }
    if (message instanceof EndOfDomain marker) {
      return marker.getDomain().equals(domain)
          ? new Examined.End()
          : new Examined.Refused(
              "end marker of domain '"
                  + Limits.shown(marker.getDomain())
                  + "' in the corpus of '"
                  + domain
                  + "'");
    }
    if (message instanceof TokenDocument || message instanceof DocumentRange) {
      return new Examined.Refused(
          "a refinery needs texts in the corpus, not token ids or ranges of files: found "
              + message.getSchema().getName());
    }
    return new Examined.Refused(
        "expected Document, PurgedDocument or EndOfDomain, found " + message.getSchema().getName());
  }

  private Examined examine(Document document) {
    try {
      Limits.requireDocumentId(document.getId());
      return new Examined.Usable(document, steps.examine(document.getText()));
    } catch (IllegalArgumentException | BadInputException e) {
      return new Examined.Refused(String.valueOf(e.getMessage()));
    } catch (RuntimeException | StackOverflowError e) {
      // A text that a step's model cannot take must not stop the documents behind it.
      return new Examined.Refused(
          "document '" + Limits.shown(document.getId()) + "' cannot be examined: " + e);
    }
  }
}
