package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.policy.Cadence;
import io.sluice.schema.BatchSize;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;

/**
 * A run as its user asks for it.
 *
 * @param batchSizes first batch, from 1, to sequences per batch from there on
 * @param batches the run is complete after this many; 0 means no end
 * @param policySettings flat, with dotted keys
 * @param updateEvery steps between rounds; 0 for a policy without rounds
 * @param onTimeout {@code hold} or {@code keep-weights}
 * @param lead batches the stream may run ahead of the trainers; 0: to the end of the interval
 * @param smoothing of the policy's decisions, flat, such as {@code new-weight} of the EMA
 * @param defaultEpochs passes over a domain; 0: its end stops the run
 * @param epochs by domain, where they differ
 * @param whenBehind {@code wait} or {@code redistribute}
 * @param reclaim {@code never} or {@code checkpoint}
 * @param evalTokens of each domain's evaluation set; 0 leaves its size to the trainer
 * @param probeTokens of each domain's probe batch, for gradient alignments; 0 likewise
 */
public record RunRequest(
    String run,
    String dataset,
    NavigableMap<Long, Integer> batchSizes,
    long batches,
    long seed,
    int streamPartitions,
    InitialWeights initialWeights,
    String policy,
    Map<String, String> policySettings,
    long updateEvery,
    long lag,
    String onTimeout,
    Duration timeout,
    long lead,
    Map<String, String> smoothing,
    int defaultEpochs,
    Map<String, Integer> epochs,
    String whenBehind,
    String reclaim,
    long evalTokens,
    long probeTokens) {

  /** A run that waits for domains that are behind, and keeps its whole stream. */
  public RunRequest(
      String run,
      String dataset,
      NavigableMap<Long, Integer> batchSizes,
      long batches,
      long seed,
      int streamPartitions,
      InitialWeights initialWeights,
      String policy,
      Map<String, String> policySettings,
      long updateEvery,
      long lag,
      String onTimeout,
      Duration timeout,
      long lead,
      Map<String, String> smoothing,
      int defaultEpochs,
      Map<String, Integer> epochs) {
    this(
        run,
        dataset,
        batchSizes,
        batches,
        seed,
        streamPartitions,
        initialWeights,
        policy,
        policySettings,
        updateEvery,
        lag,
        onTimeout,
        timeout,
        lead,
        smoothing,
        defaultEpochs,
        epochs,
        "wait",
        "never",
        0,
        0);
  }

  /** The same with other settings of its policy. */
  public RunRequest withPolicySettings(Map<String, String> settings) {
    return new RunRequest(
        run,
        dataset,
        batchSizes,
        batches,
        seed,
        streamPartitions,
        initialWeights,
        policy,
        settings,
        updateEvery,
        lag,
        onTimeout,
        timeout,
        lead,
        smoothing,
        defaultEpochs,
        epochs,
        whenBehind,
        reclaim,
        evalTokens,
        probeTokens);
  }

  /** Sequences of the whole run; empty if it has no end. */
  OptionalLong sequences() {
    return batches == 0
        ? OptionalLong.empty()
        : OptionalLong.of(new Cadence(updateEvery, lag, batchSizes, batches).sequencesIn(batches));
  }

  /**
   * The specification that the control log pins, every default resolved against the dataset.
   *
   * @param trainedTokens tokens ready by domain
   * @throws BadInputException naming the key, what it may be, and what it is
   */
  public RunSpec resolve(DatasetSpec data, Map<String, Long> trainedTokens) {
    List<String> domains = data.getDomains();
    for (String domain : epochs.keySet()) {
      if (!domains.contains(domain)) {
        throw new BadInputException(
            "when-ended." + domain + " is not a domain of the run: " + domains);
      }
    }
    List<BatchSize> sizes = new ArrayList<>();
    batchSizes.forEach((from, sequences) -> sizes.add(new BatchSize(from, sequences)));
    RunSpec spec =
        RunSpec.newBuilder()
            .setRun(run)
            .setDataset(data.getName())
            .setFingerprint(data.getFingerprint())
            .setTokenizer(data.getTokenizer())
            .setVocabulary(data.getVocabulary())
            .setSequenceLength(data.getSequenceLength())
            .setDomains(domains)
            .setLanes(data.getLanes())
            .setStreamPartitions(streamPartitions)
            .setBatchSizes(sizes)
            .setBatches(batches)
            .setSeed(seed)
            .setInitialWeights(ControlWire.boxed(initialWeights.resolve(domains, trainedTokens)))
            .setPolicy(policy)
            .setPolicySettings(policySettings)
            .setUpdateEvery(updateEvery)
            .setLag(lag)
            .setOnTimeout(onTimeout)
            .setTimeoutMillis(timeout.toMillis())
            .setLead(lead)
            .setSmoothing(smoothing)
            .setWhenBehind(whenBehind)
            .setReclaim(reclaim)
            .setEvalTokens(evalTokens)
            .setProbeTokens(probeTokens)
            .setEpochs(domains.stream().map(d -> epochs.getOrDefault(d, defaultEpochs)).toList())
            .build();
    try {
      return RunSpecs.complete(spec);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
