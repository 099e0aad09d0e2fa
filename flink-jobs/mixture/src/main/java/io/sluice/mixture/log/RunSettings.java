package io.sluice.mixture.log;

import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.smoothing.Guards;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a run's first control record pins and every decision about it depends on: data, which can be
 * read without the policy that it names.
 *
 * @param domains in the order of every per-domain array
 * @param batchSizes first batch, from 1, to sequences per batch from there on
 * @param rowLengths first batch, from 1, to labels of the rows that clients cut sequences into from
 *     there on; before the first entry a row is a whole sequence. Decides nothing
 * @param masks sets of documents that clients mask, by name, to the first batch, from 1, in which
 *     they do. Decides nothing
 * @param batches the run is complete after this many; 0 means no end
 * @param seed of the orders of batches and of later epochs
 * @param initialWeights those of the run's file; the policy may determine others
 * @param policySettings flat, with dotted keys
 * @param updateEvery steps between rounds; 0 for a policy without rounds
 * @param lag round r, of step r · updateEvery, governs from batch r · updateEvery + lag + 1
 * @param keepWeightsOnTimeout whether a round that waited too long keeps the weights
 * @param timeoutMillis how long a round may wait once a trainer has reached its step
 * @param lead batches the stream may run ahead of the trainers; 0 means to the end of the interval,
 *     or 256 for a policy without feedback
 * @param guards what comes between a decision and the weights
 * @param epochs passes over each domain before it counts as ended; 0: its end stops the run
 * @param redistribute whether others take the seats of a domain whose blocks are not there yet
 * @param removed domains that keep their place in every array and get no seat
 * @param lanes parts of each domain, of which each drains on its own
 * @param limits the run's place among others
 */
public record RunSettings(
    List<String> domains,
    NavigableMap<Long, Integer> batchSizes,
    NavigableMap<Long, Integer> rowLengths,
    SortedMap<String, Long> masks,
    long batches,
    long seed,
    Weights initialWeights,
    String policyName,
    Map<String, String> policySettings,
    long updateEvery,
    long lag,
    boolean keepWeightsOnTimeout,
    long timeoutMillis,
    long lead,
    Guards guards,
    List<Integer> epochs,
    boolean redistribute,
    Set<String> removed,
    int lanes,
    RunLimits limits) {
  /** Checks every range; messages name the key of the run's file. */
  public RunSettings {
    domains = List.copyOf(domains);
    batchSizes = java.util.Collections.unmodifiableNavigableMap(new TreeMap<>(batchSizes));
    rowLengths = java.util.Collections.unmodifiableNavigableMap(new TreeMap<>(rowLengths));
    masks = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(masks));
    policySettings = Map.copyOf(policySettings);
    epochs = List.copyOf(epochs);
    removed = Set.copyOf(removed);
    require(!domains.isEmpty(), "domains", "name at least one", domains);
    require(
        domains.stream().distinct().count() == domains.size(), "domains", "be distinct", domains);
    require(
        initialWeights.size() == domains.size(),
        "initial-weights",
        "have one entry for each of " + domains.size() + " domains",
        initialWeights.size());
    require(epochs.size() == domains.size(), "when-ended", "cover every domain", epochs.size());
    require(
        !batchSizes.isEmpty() && batchSizes.firstKey() == 1,
        "batch",
        "start at batch 1",
        batchSizes);
    for (int size : batchSizes.values()) {
      require(
          size >= 1 && size <= MixturePlan.MAX_BATCH,
          "batch",
          "be in [1, " + MixturePlan.MAX_BATCH + "] sequences",
          size);
    }
    for (int passes : epochs) {
      require(passes >= 0, "when-ended", "repeat at least 1 time", passes);
    }
    require(domains.containsAll(removed), "removed", "name domains of " + domains, removed);
    require(removed.size() < domains.size(), "removed", "leave a domain", removed);
    require(lanes >= 1, "lanes", "be at least 1", lanes);
    require(batches >= 0, "batches", "be at least 0", batches);
    require(updateEvery >= 0, "policy.every", "be at least 0", updateEvery);
    require(lag >= 0, "apply.lag", "be at least 0", lag);
    require(timeoutMillis > 0, "apply.timeout", "be above 0 ms", timeoutMillis);
    require(lead >= 0, "apply.lead", "be at least 0", lead);
  }

  /** When the run's rounds are and how much its batches hold. */
  public Cadence cadence() {
    return new Cadence(updateEvery, lag, batchSizes, batches);
  }

  /** Sequences in a batch, from 1. */
  public int batchSize(long batch) {
    return batchSizes.floorEntry(batch).getValue();
  }

  /** Last batch that the decision of {@code round} governs; the initial weights are round 0. */
  public long lastBatchOf(long round) {
    return updateEvery == 0 ? Long.MAX_VALUE : (round + 1) * updateEvery + lag;
  }

  /** The domains that were taken out, by index. */
  public BitSet removedDomains() {
    BitSet indices = new BitSet(domains.size());
    removed.forEach(domain -> indices.set(domains.indexOf(domain)));
    return indices;
  }

  /** Whether a run with the other settings has another policy, or the same with other rounds. */
  public boolean restartsPolicyOf(RunSettings other) {
    return !policyName.equals(other.policyName)
        || !policySettings.equals(other.policySettings)
        || updateEvery != other.updateEvery
        || lag != other.lag
        || !domains.equals(other.domains)
        || !removed.equals(other.removed);
  }

  private static void require(boolean holds, String key, String rule, Object actual) {
    if (!holds) {
      throw new IllegalArgumentException(key + " must " + rule + ": " + actual);
    }
  }
}
