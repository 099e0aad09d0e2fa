package io.sluice.refine.decide;

import io.sluice.refine.step.Examination;
import io.sluice.schema.Document;

/** What a record of an input is, and what the steps say of it. */
public sealed interface Examined {
  /** A document that can be used. */
  record Usable(Document document, Examination found) implements Examined {}

  /** A document that was purged, and counts as one that is not there. */
  record Purged() implements Examined {}

  /** The end of the input. */
  record End() implements Examined {}

  /**
   * What is no usable document.
   *
   * @param reason for people
   */
  record Refused(String reason) implements Examined {}
}
