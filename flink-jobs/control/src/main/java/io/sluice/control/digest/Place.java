package io.sluice.control.digest;

import java.util.Comparator;

/**
 * A batch of a timeline, in the order in which an audit comes to them.
 *
 * @param timeline that has the batch, whether it owns it still or not
 * @param batch of it
 */
record Place(int timeline, long batch) implements Comparable<Place> {
  private static final Comparator<Place> ORDER =
      Comparator.comparingInt(Place::timeline).thenComparingLong(Place::batch);

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
