package io.sluice.lab.chaos.trainer;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What was read of runs that decide alike, with a stream and without: the rows of a batch are the
 * same for all of them, for as long as nobody revises one.
 */
public final class Twins {
  private final Map<Kind, Map<Long, Long>> read = new HashMap<>();

  private record Kind(Reweighting policy, boolean derived) {}

  /**
   * What came of holding a run's batches against those of its twins.
   *
   * @param shared batches that were read with the other delivery, too
   * @param differing batches that have other rows there, or in another run of this delivery
   */
  public record Held(long shared, long differing) {}

  /**
   * Holds batches of a run against those of the runs before it, and keeps them for those after it.
   *
   * @param derived whether it has no stream
   * @param batches that were granted before anybody revised it
   */
  public Held hold(Reweighting policy, boolean derived, Collection<Journal.Accepted> batches) {
    Map<Long, Long> own = read.computeIfAbsent(new Kind(policy, derived), k -> new HashMap<>());
    Map<Long, Long> other = read.getOrDefault(new Kind(policy, !derived), Map.of());
    long shared = 0;
    long differing = 0;
    for (Journal.Accepted each : batches) {
      shared += other.containsKey(each.batch()) ? 1 : 0;
      boolean same =
          own.getOrDefault(each.batch(), each.rows()) == each.rows()
              && other.getOrDefault(each.batch(), each.rows()) == each.rows();
      differing += same ? 0 : 1;
      own.putIfAbsent(each.batch(), each.rows());
    }
    return new Held(shared, differing);
  }
}
