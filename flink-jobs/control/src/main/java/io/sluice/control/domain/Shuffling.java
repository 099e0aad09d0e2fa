package io.sluice.control.domain;

import io.sluice.schema.Supply;
import java.util.Locale;

/**
 * The documents of a domain that wait in a dataset's shuffle buffer.
 *
 * @param documents that wait; the most that may, where that is not known
 * @param capacity of the buffer
 */
public record Shuffling(long documents, int capacity) {
  /** What waits by a supply; nothing does in a domain that has ended. */
  public static Shuffling of(Supply supply, int capacity) {
    if (supply.getEnded()) {
      return new Shuffling(0, capacity);
    }
    long known = supply.getShuffled();
    return new Shuffling(known >= 0 ? known : Math.min(supply.getDocuments(), capacity), capacity);
  }

  /** How many wait, and what for. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d documents wait in the shuffle buffer of %,d %s",
        documents,
        capacity,
        documents < capacity
            ? "until it is full or the domain ends"
            : "for others to come or the domain's end");
  }
}
