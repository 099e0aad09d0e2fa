package io.sluice.control.domain;

import io.sluice.schema.Document;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.TokenDocument;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/** What a record of a corpus is called. */
public final class DocumentId {
  private DocumentId() {}

  /** The id of a document that is there by itself; empty of any other record. */
  public static Optional<String> of(SpecificRecordBase record) {
    if (record instanceof Document text) {
      return Optional.of(text.getId());
    }
    return record instanceof TokenDocument tokens ? Optional.of(tokens.getId()) : Optional.empty();
  }

  /** The id of a document that is there by itself, or was until it was purged. */
  public static Optional<String> ofOneThatWas(SpecificRecordBase record) {
    return record instanceof PurgedDocument purged ? Optional.of(purged.getId()) : of(record);
  }
}
