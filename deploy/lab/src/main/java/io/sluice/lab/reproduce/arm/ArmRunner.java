package io.sluice.lab.reproduce.arm;

import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.history.RunHistory;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.local.LocalService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Runs arms as a user would: a run file that is applied, {@code sluice trainer}, an audit. What
 * came of an arm is read from the run's own topics, and kept in a file: an arm that has one is not
 * run again.
 */
public final class ArmRunner {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int TEST_BLOCKS = 64;

  private final LocalService service;
  private final String experiment;
  private final Scale scale;
  private final String device;
  private final KeptOutcomes kept;
  private final TrialData data;

  /**
   * A runner of one experiment.
   *
   * @param directory where run files, checkpoints, logs and outcomes are kept
   */
  public ArmRunner(
      LocalService service, String experiment, Scale scale, String device, Path directory) {
    this.service = service;
    this.experiment = experiment;
    this.scale = scale;
    this.device = device;
    this.kept = new KeptOutcomes(directory);
    this.data = new TrialData(service, directory.resolve("corpus"));
  }

  /** The datasets of a trial, in the service. */
  public record Prepared(Trial trial, DatasetSpec training, DatasetSpec test) {}

  /** Brings the texts of a trial in. */
  public Prepared prepare(Trial trial) {
    ArmRunFile runs = new ArmRunFile(experiment, trial, scale);
    long seed = trial.seed();
    int length = scale.sequenceLength();
    String name = runs.dataset();
    return new Prepared(
        trial,
        data.bring(name, trial.training(), runs.names(), seed, length),
        data.bring(name + "-test", trial.test(), runs.testNames(), seed, length));
  }

  /** A worker with a process of its own for its trainers. */
  public ArmWorker worker() {
    TrainerWorker trainers = TrainerWorker.start();
    return new ArmWorker() {
      @Override
      public ArmOutcome run(Prepared prepared, Arm arm, Outcomes ended) {
        return ArmRunner.this.run(trainers, prepared, arm, ended);
      }

      @Override
      public void close() {
        trainers.close();
      }
    };
  }

  private ArmOutcome run(TrainerWorker worker, Prepared prepared, Arm arm, Outcomes ended) {
    Trial trial = prepared.trial();
    ArmRunFile runs = new ArmRunFile(experiment, trial, scale);
    Map<String, ?> content = runs.content(arm, arm.mixture().apply(ended));
    Optional<ArmOutcome> before = kept.find(trial, arm, content);
    if (before.isPresent()) {
      return before.get();
    }
    try {
      Path file = kept.keepRun(trial, arm, content);
      ArmOutcome outcome = run(worker, prepared, arm, runs, file);
      kept.keep(trial, arm, outcome);
      return outcome;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ArmOutcome run(
      TrainerWorker worker, Prepared prepared, Arm arm, ArmRunFile runs, Path file)
      throws IOException {
    KafkaAccess access = service.access();
    Trial trial = prepared.trial();
    Path own = kept.folder(trial);
    RunApplication application = new RunApplication(access, RunAdmin.commands(access));
    application.apply(application.read(file), PATIENCE, said -> {});
    Path checkpoints = own.resolve(arm.name() + ".checkpoints");
    worker.train(trainer(runs.run(arm), trial, arm, checkpoints), own.resolve(arm.name() + ".log"));
    return outcome(prepared, arm, runs, checkpoints);
  }

  /** Arguments of {@code sluice trainer}. */
  private List<String> trainer(String run, Trial trial, Arm arm, Path checkpoints) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("--kafka", service.access().bootstrapServers());
    options.put("--run", run);
    options.put("--steps", arm.steps());
    options.put("--layers", scale.layers());
    options.put("--width", scale.width());
    options.put("--heads", scale.heads());
    options.put("--lr", scale.learningRate());
    options.put("--lr-course", "cosine");
    options.put("--micro-batch", scale.batch());
    options.put("--seed", trial.seed());
    options.put("--eval-every", scale.every());
    options.put("--device", device);
    options.put("--checkpoint-dir", checkpoints);
    options.put("--every-checkpoint", arm.steps());
    arm.base()
        .ifPresent(
            name -> options.put("--base", kept.folder(trial).resolve(name + ".checkpoints")));
    return options.entrySet().stream()
        .flatMap(each -> Stream.of(each.getKey(), String.valueOf(each.getValue())))
        .toList();
  }

  private ArmOutcome outcome(Prepared prepared, Arm arm, ArmRunFile runs, Path checkpoints)
      throws IOException {
    KafkaAccess access = service.access();
    DomainNames names = runs.names();
    String run = runs.run(arm);
    AuditReport audit = Auditor.audit(access, run);
    RunHistory history = RunHistory.read(access, run);
    List<String> domains = history.spec().getDomains().stream().map(names::inner).toList();
    SortedMap<Long, Map<String, Double>> weights = new TreeMap<>();
    for (RunHistory.Version version : history.versions()) {
      weights.put(version.firstBatch(), shares(domains, version.weights()));
    }
    LossHistory losses = RunLosses.read(access, run);
    SortedMap<Long, Map<String, Double>> measured = new TreeMap<>();
    losses.losses().forEach((step, values) -> measured.put(step, byDomain(domains, values)));
    return new ArmOutcome(
        arm.steps(),
        measured,
        weights,
        arm.judged()
            ? test(prepared, arm, runs.testNames(), checkpoints)
            : new TestedModel(Map.of(), Map.of()),
        trained(names, audit),
        audit.summary() + ", " + audit.digest(),
        audit.passed());
  }

  private TestedModel test(Prepared prepared, Arm arm, DomainNames names, Path checkpoints) {
    Path parameters =
        checkpoints
            .resolve(String.format("batch-%012d", arm.steps()))
            .resolve("parameters.safetensors");
    return FinalModel.test(
        service.access(),
        prepared.test(),
        names,
        prepared.trial().questions(),
        scale,
        parameters,
        TEST_BLOCKS);
  }

  private static Map<String, Double> shares(List<String> domains, Weights weights) {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (int i = 0; i < weights.size(); i++) {
      shares.put(domains.get(i), weights.share(i));
    }
    return shares;
  }

  private static Map<String, Double> byDomain(List<String> domains, double[] values) {
    Map<String, Double> by = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      by.put(domains.get(i), values[i]);
    }
    return by;
  }

  /** Sequences of each domain in the whole stream. */
  private static Map<String, Double> trained(DomainNames names, AuditReport audit) {
    Map<String, Double> sequences = new TreeMap<>();
    audit
        .composition()
        .values()
        .forEach(
            batch ->
                batch.forEach(
                    (domain, count) ->
                        sequences.merge(names.inner(domain), (double) count, Double::sum)));
    return sequences;
  }
}
