package io.sluice.control.domain;

import io.sluice.control.config.Durations;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;
import java.time.Duration;
import java.util.Locale;

/**
 * The documents of a domain that wait in a dataset's shuffle buffer.
 *
 * @param documents that wait; the most that may, where that is not known
 * @param capacity of the buffer; negative where all documents wait for the domain's end
 * @param releasedAfter time after which they go unless as many as the buffer holds come; zero for
 *     never
 */
public record Shuffling(long documents, int capacity, Duration releasedAfter) {
  /** What waits by a supply; nothing does in a domain that has ended. */
  public static Shuffling of(Supply supply, DatasetSpec dataset) {
    if (supply.getEnded()) {
      return none(dataset);
    }
    long known = supply.getShuffled();
    int capacity = dataset.getShuffleBuffer();
    long most = capacity < 0 ? supply.getDocuments() : Math.min(supply.getDocuments(), capacity);
    return of(known >= 0 ? known : most, dataset);
  }

  /** Nothing waits in a dataset's buffer. */
  public static Shuffling none(DatasetSpec dataset) {
    return of(0, dataset);
  }

  private static Shuffling of(long documents, DatasetSpec dataset) {
    return new Shuffling(
        documents, dataset.getShuffleBuffer(), Duration.ofMillis(dataset.getShuffleWaitMillis()));
  }

  /** How many wait, and what for. */
  @Override
  public String toString() {
    if (capacity < 0) {
      return String.format(
          Locale.ROOT,
          "%,d documents wait until the domain ends and all of them are shuffled",
          documents);
    }
    return String.format(
        Locale.ROOT,
        "%,d documents wait in the shuffle buffer of %,d %s",
        documents,
        capacity,
        documents < capacity ? untilFull() : untilOthersCome());
  }

  private String untilFull() {
    return releasedAfter.isZero()
        ? "until it is full or the domain ends"
        : "until it is full, the domain ends or "
            + Durations.format(releasedAfter)
            + " have passed";
  }

  private String untilOthersCome() {
    return releasedAfter.isZero()
        ? "for others to come or the domain's end"
        : "for others to come, the domain's end or "
            + Durations.format(releasedAfter)
            + " in which few do";
  }
}
