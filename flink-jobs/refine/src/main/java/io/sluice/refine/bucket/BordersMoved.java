package io.sluice.refine.bucket;

import java.util.List;

/**
 * Borders between buckets were decided, for the documents that follow.
 *
 * @param document the last one that was counted before, from 1
 * @param tokens of all documents up to that
 * @param before the borders until then, ascending; empty if there were none
 * @param borders the new ones, ascending, one less than buckets: a bucket has the values above the
 *     border before it, up to its own
 * @param deviation by how much a bucket's share of these tokens differed at most from an equal one,
 *     relative to that, by the borders before; 0 if there were none
 */
public record BordersMoved(
    long document, long tokens, List<Double> before, List<Double> borders, double deviation) {
  /** Copies the lists. */
  public BordersMoved {
    before = List.copyOf(before);
    borders = List.copyOf(borders);
  }
}
