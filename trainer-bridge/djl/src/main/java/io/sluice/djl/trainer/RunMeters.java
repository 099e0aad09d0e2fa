package io.sluice.djl.trainer;

import io.sluice.client.feedback.Measurement;
import io.sluice.djl.measure.EvaluationSplit;
import io.sluice.djl.measure.MeterFactory;
import io.sluice.djl.measure.MeterInput;
import io.sluice.djl.measure.Meters;
import io.sluice.djl.measure.ProbeOptions;
import io.sluice.djl.measure.ScheduledMeter;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.ReferenceModel;
import io.sluice.schema.HeldOutSize;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/** What one run needs measured, as its specification says, and the meters that do it. */
final class RunMeters {
  private static final int MOST_TRAINED = 32_768;

  private final RunSpec spec;
  private final TrainerSettings settings;
  private final Map<MeterFactory, List<RequiredMetric>> factories = new LinkedHashMap<>();
  private final List<String> targets;

  /**
   * Meters of a run.
   *
   * @throws IllegalArgumentException if the run's policy waits for what cannot be measured, or for
   *     alignments without target domains, or with others than the trainer's
   */
  RunMeters(RunSpec spec, TrainerSettings settings) {
    this.spec = spec;
    this.settings = settings;
    Meters meters = Meters.provided();
    // Held-out losses are sent under every policy, for people.
    meters.of(Measurement.EVAL_LOSS).ifPresent(each -> factories.put(each, new ArrayList<>()));
    for (RequiredMetric metric : required()) {
      MeterFactory factory =
          meters
              .of(metric.getName())
              .filter(each -> each.measures(metric))
              .orElseThrow(() -> unmeasured(metric, meters));
      factories.computeIfAbsent(factory, each -> new ArrayList<>()).add(metric);
    }
    targets = targets();
    requireReference();
  }

  private void requireReference() {
    boolean needed = factories.keySet().stream().anyMatch(MeterFactory::needsReference);
    if (needed && settings.reference().isEmpty()) {
      throw new IllegalArgumentException(
          "policy '"
              + spec.getPolicy()
              + "' compares losses with a reference model's: give the trainer its checkpoint"
              + " (--reference DIR, Builder.reference)");
    }
  }

  /** Whether the run has rounds, and was specified before it was kept what they wait for. */
  static boolean isUnspecified(RunSpec spec) {
    return spec.getMetrics() == null && spec.getUpdateEvery() > 0;
  }

  private List<RequiredMetric> required() {
    if (settings.metrics().isPresent()) {
      return settings.metrics().get().stream().sorted().map(name -> every(name, false)).toList();
    }
    if (isUnspecified(spec)) {
      return List.of(every(Measurement.EVAL_LOSS, true));
    }
    return spec.getMetrics() == null ? List.of() : spec.getMetrics();
  }

  private RequiredMetric every(String name, boolean atStepZero) {
    return RequiredMetric.newBuilder()
        .setName(name)
        .setEvery(spec.getUpdateEvery())
        .setAtStepZero(atStepZero)
        .build();
  }

  private IllegalArgumentException unmeasured(RequiredMetric metric, Meters meters) {
    return new IllegalArgumentException(
        "policy must be one whose metrics have a meter, of "
            + meters
            + "; '"
            + spec.getPolicy()
            + "' waits for "
            + metric.getName()
            + (metric.getOf().isEmpty() ? "" : " of " + metric.getOf())
            + ": put a jar with a "
            + MeterFactory.class.getName()
            + " for it on the trainer's class path, or report it from a trainer of your own");
  }

  private boolean readsProbes() {
    return factories.keySet().stream().anyMatch(MeterFactory::readsProbes);
  }

  /** The run's, unless it leaves them to the trainer; none if nothing is compared with any. */
  private List<String> targets() {
    Set<String> ofRun = new TreeSet<>();
    factories.values().forEach(all -> all.forEach(metric -> ofRun.addAll(metric.getTargets())));
    if (ofRun.isEmpty() && factories.keySet().stream().noneMatch(MeterFactory::needsTarget)) {
      return List.of();
    }
    List<String> own = settings.alignment().targetDomains();
    if (!ofRun.isEmpty() && !own.isEmpty() && !ofRun.equals(new HashSet<>(own))) {
      throw new IllegalArgumentException(
          "target domains must be those of the run's specification, "
              + ofRun
              + ", or not be given: "
              + own);
    }
    List<String> targets = ofRun.isEmpty() ? own : List.copyOf(ofRun);
    if (targets.isEmpty() || !spec.getDomains().containsAll(targets)) {
      throw new IllegalArgumentException(
          "target domains must be at least one of "
              + spec.getDomains()
              + ", to measure the alignments of policy "
              + spec.getPolicy()
              + ": "
              + targets);
    }
    return targets;
  }

  /** Held-out blocks of each domain that the meters can use. */
  int heldOutBlocks() {
    int pool = Math.max(settings.alignment().poolBlocks(), probeBlocks());
    return evalBlocks() + (readsProbes() ? pool : 0);
  }

  /** The run's size; the trainer's own where the run leaves it open. */
  private int evalBlocks() {
    int ofRun = HeldOutSize.of(spec).evalBlocks();
    return ofRun == 0 ? settings.evalBlocksPerDomain() : ofRun;
  }

  private int probeBlocks() {
    return spec.getProbeTokens() == 0
        ? settings.alignment().probeBlocks()
        : HeldOutSize.of(spec).probeBlocks();
  }

  /** Blocks of each domain to keep of what is trained on; bounded for runs of many domains. */
  int trainedBlocks() {
    if (factories.keySet().stream().noneMatch(MeterFactory::readsTrained)) {
      return 0;
    }
    int pool = Math.max(settings.alignment().poolBlocks(), probeBlocks());
    return Math.max(probeBlocks(), Math.min(pool, MOST_TRAINED / spec.getDomains().size()));
  }

  /** Whether the run's rounds need this. */
  boolean requires(String metric) {
    return factories.values().stream()
        .anyMatch(all -> all.stream().anyMatch(each -> each.getName().equals(metric)));
  }

  /**
   * The meters over these held-out blocks; the held-out losses come first.
   *
   * @param labels of the rows that the blocks are cut into
   * @param reference that the trainer was given
   */
  List<ScheduledMeter> over(
      Map<String, List<TokenBlock>> heldOut,
      int labels,
      ModelSize size,
      TrainingLoop loop,
      Optional<ReferenceModel> reference) {
    EvaluationSplit split = EvaluationSplit.of(heldOut, evalBlocks(), targets).cut(labels);
    int parts = spec.getSequenceLength() / labels;
    List<ScheduledMeter> meters = new ArrayList<>();
    factories.forEach(
        (factory, required) -> {
          MeterInput input =
              new MeterInput(
                  spec,
                  required,
                  split,
                  size,
                  settings.microBatch(),
                  settings.documentMask(),
                  probeBlocks() * parts,
                  settings.alignment().clip() && ProbeOptions.of(spec).clip(),
                  loop.trainedBlocks(),
                  reference,
                  loop.trainLoss(),
                  loop::learningRate);
          boolean evaluates = factory.metrics().contains(Measurement.EVAL_LOSS);
          meters.add(
              new ScheduledMeter(
                  factory.create(input), evaluates ? forPeople(required) : due(required)));
        });
    return meters;
  }

  private static LongPredicate due(List<RequiredMetric> required) {
    return step ->
        required.stream()
            .anyMatch(
                metric ->
                    step == 0
                        ? metric.getAtStepZero()
                        : ScheduledMeter.isMultiple(step, metric.getEvery()));
  }

  private LongPredicate forPeople(List<RequiredMetric> required) {
    return due(required)
        .or(step -> step == 0 || ScheduledMeter.isMultiple(step, settings.evalEvery()));
  }
}
