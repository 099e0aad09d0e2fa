package io.sluice.refine.decide;

import io.sluice.schema.BordersMoved;
import io.sluice.schema.Document;
import io.sluice.schema.DroppedDocument;
import java.util.Map;

/** Takes what a refinery decides of a record. */
public interface Decisions {
  /** The document goes to a domain. */
  void kept(String domain, Document document);

  /** The document is left out. */
  void dropped(DroppedDocument dropped);

  /** Borders between buckets are others from the next document on. */
  void moved(BordersMoved moved);

  /** The record is no document that can be used. */
  void refused(String reason);

  /** All inputs have ended, and with them the domains, of so many documents each. */
  void ended(Map<String, Long> domains);
}
