package io.sluice.refine.synthesis;

import java.util.Map;
import java.util.TreeMap;

/**
 * What came of seeds so far.
 *
 * @param seeds that were looked at
 * @param asked requests that were sent
 * @param stored requests that the store had the reply to
 * @param made documents
 * @param refused seeds without a document, by the kind of reason
 * @param left seeds that the budget had no tokens for
 */
public record Tally(
    long seeds, long asked, long stored, long made, Map<String, Long> refused, long left) {
  /** Copies the reasons. */
  public Tally {
    refused = new TreeMap<>(refused);
  }
}
