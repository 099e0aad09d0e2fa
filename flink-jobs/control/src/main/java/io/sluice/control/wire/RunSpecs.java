package io.sluice.control.wire;

import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.RunLimits;
import io.sluice.mixture.log.RunSettings;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.MetricNeed;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.smoothing.Guards;
import io.sluice.schema.BatchSize;
import io.sluice.schema.HeldOutSize;
import io.sluice.schema.Limits;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Topics;
import io.sluice.schema.run.Delivery;
import io.sluice.schema.run.DocumentMasks;
import io.sluice.schema.run.RowLengths;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Run specifications as the settings that decisions depend on. */
public final class RunSpecs {
  private static final int MAX_LANES = 64;
  private static final int LEAST_ENTRY_BYTES = 10;

  private RunSpecs() {}

  /**
   * The settings of a specification, all ranges checked but those that its policy sets.
   *
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static RunSettings settings(RunSpec spec) {
    Topics.requireName("run", spec.getRun());
    Topics.requireName("dataset", spec.getDataset());
    spec.getDomains().forEach(domain -> Topics.requireName("domain", domain));
    requireRange("lanes", spec.getLanes(), 1, MAX_LANES);
    RunFields.require(spec);
    if (spec.getStreamPartitions() % spec.getLanes() != 0) {
      throw new IllegalArgumentException(
          "stream-partitions must be a multiple of the dataset's "
              + spec.getLanes()
              + " lanes: "
              + spec.getStreamPartitions());
    }
    requireRange("sequence length", spec.getSequenceLength(), 1, Integer.MAX_VALUE);
    requireReclaimed(spec);
    RowLengths.require(spec);
    DocumentMasks.require(spec);
    NavigableMap<Long, Integer> batchSizes = new TreeMap<>();
    for (BatchSize size : spec.getBatchSizes()) {
      batchSizes.put(size.getFromBatch(), size.getSequences());
    }
    return new RunSettings(
        spec.getDomains(),
        batchSizes,
        RowLengths.byBatch(spec),
        DocumentMasks.bySet(spec),
        spec.getBatches(),
        spec.getSeed(),
        Weights.of(spec.getInitialWeights().stream().mapToLong(Long::longValue).toArray()),
        spec.getPolicy(),
        spec.getPolicySettings(),
        spec.getUpdateEvery(),
        spec.getLag(),
        spec.getOnTimeout().equals("keep-weights"),
        spec.getTimeoutMillis(),
        spec.getLead(),
        Guards.of(spec.getSmoothing(), spec.getDomains()),
        spec.getEpochs(),
        spec.getWhenBehind().equals("redistribute"),
        removed(spec),
        spec.getLanes(),
        limits(spec));
  }

  /**
   * A run's place among others. What its stream holds is counted in whole sequences, of nothing but
   * their tokens.
   */
  public static RunLimits limits(RunSpec spec) {
    int width = spec.getVocabulary() > 1 << Character.SIZE ? Integer.BYTES : Character.BYTES;
    long bytes = (spec.getSequenceLength() + 1L) * width;
    long held = spec.getStreamBytes();
    return new RunLimits(
        spec.getPriority(),
        (double) spec.getTokensPerSecond() / spec.getSequenceLength(),
        held == 0 ? 0 : Math.max(1, held / bytes));
  }

  /**
   * A specification with everything that its policy determines, as the log is to have it: what its
   * rounds need from trainers, whatever it said before. Whoever makes one calls this last, and the
   * controller before the log has it; trainers read what is there. It needs the policy's jar, which
   * readers of the log do not.
   *
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static RunSpec complete(RunSpec spec) {
    RunSettings settings = settings(spec);
    Policy policy = RunPolicy.make(settings);
    Set<String> present = new LinkedHashSet<>(spec.getDomains());
    present.removeAll(settings.removed());
    List<RequiredMetric> metrics = new ArrayList<>();
    for (MetricNeed need : MetricNeed.of(policy)) {
      if (!present.containsAll(need.targets())) {
        throw new IllegalArgumentException(
            "target of policy "
                + spec.getPolicy()
                + " must name domains of the run, "
                + present
                + ": "
                + need.targets());
      }
      metrics.add(
          new RequiredMetric(
              need.name(),
              spec.getUpdateEvery(),
              need.atStepZero(),
              of(need, spec),
              need.targets(),
              tokens(spec, need.name())));
    }
    return RunSpec.newBuilder(spec).setMetrics(metrics).build();
  }

  /** Each report of a rank is one record. */
  private static List<String> of(MetricNeed need, RunSpec spec) {
    List<String> names = need.of(spec.getDomains());
    long bytes = names.stream().mapToLong(name -> name.length() + LEAST_ENTRY_BYTES).sum();
    if (bytes > Limits.RECORD_BYTES) {
      throw new IllegalArgumentException(
          "domains must be so few that a report of %s of %d %s has at most %d bytes: at least %d"
              .formatted(
                  need.name(), names.size(), need.axis().kind(), Limits.RECORD_BYTES, bytes));
    }
    return names;
  }

  /** What a specification asks for, without what follows from it. */
  public static RunSpec asAsked(RunSpec spec) {
    return RunSpec.newBuilder(spec).setMetrics(null).build();
  }

  /** In whole blocks; a metric of another jar reads the evaluation sets, if it reads any. */
  private static long tokens(RunSpec spec, String metric) {
    HeldOutSize size = HeldOutSize.of(spec);
    long blocks =
        switch (metric) {
          case Metrics.ALIGNMENT,
              Metrics.GRADIENT_NORM,
              Metrics.GRADIENT_PRODUCT,
              Metrics.GRADIENT_MOMENT ->
              spec.getProbeTokens() == 0 ? 0 : size.probeBlocks();
          case Metrics.TRAIN_LOSS, Metrics.LEARNING_RATE -> 0;
          default -> size.evalBlocks();
        };
    return blocks * spec.getSequenceLength();
  }

  private static Set<String> removed(RunSpec spec) {
    Set<String> removed = new TreeSet<>(spec.getRemoved());
    if (removed.size() != spec.getRemoved().size()) {
      throw new IllegalArgumentException("removed must name each once: " + spec.getRemoved());
    }
    return removed;
  }

  /** A stream of which nothing is deleted would reach its ceiling once and for all. */
  private static void requireReclaimed(RunSpec spec) {
    if (spec.getStreamBytes() == 0) {
      return;
    }
    if (Delivery.isDerived(spec)) {
      throw new IllegalArgumentException(
          "limits.stream must be 0 for delivery derived, which has no stream: "
              + spec.getStreamBytes());
    }
    if (!spec.getReclaim().equals("checkpoint")) {
      throw new IllegalArgumentException(
          "limits.stream needs 'reclaim: checkpoint', without which nothing of a stream is deleted:"
              + " reclaim is "
              + spec.getReclaim());
    }
  }

  private static void requireRange(String key, long value, long low, long high) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(key + " must be in [" + low + ", " + high + "]: " + value);
    }
  }

  /**
   * Refuses a specification that a run cannot go over to, because its stream would be another's.
   *
   * @throws IllegalArgumentException naming the key, what it must stay, and what it would be
   */
  public static void requireSameStream(RunSpec now, RunSpec wanted) {
    requireSame("run", now.getRun(), wanted.getRun());
    requireSame("dataset", now.getDataset(), wanted.getDataset());
    requireSame("fingerprint", now.getFingerprint(), wanted.getFingerprint());
    requireSame("document-ids", now.getDocumentIds(), wanted.getDocumentIds());
    requireSame("tokenizer", now.getTokenizer(), wanted.getTokenizer());
    requireSame("vocabulary", now.getVocabulary(), wanted.getVocabulary());
    requireSame("sequence length", now.getSequenceLength(), wanted.getSequenceLength());
    requireSame("lanes", now.getLanes(), wanted.getLanes());
    requireSame("stream-partitions", now.getStreamPartitions(), wanted.getStreamPartitions());
    requireSame("delivery", now.getDelivery(), wanted.getDelivery());
    requireSame("seed", now.getSeed(), wanted.getSeed());
  }

  private static void requireSame(String key, Object now, Object wanted) {
    if (!now.equals(wanted)) {
      throw new IllegalArgumentException(
          key + " must stay " + now + ", a changed one is a new run: " + wanted);
    }
  }
}
