package io.sluice.lab.chaos;

import io.sluice.client.run.RunInfo;
import io.sluice.lab.chaos.history.MachineClock;
import io.sluice.lab.chaos.trainer.PlannedRun;
import io.sluice.lab.chaos.trainer.Reweighting;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.TrainerProgram;
import io.sluice.lab.chaos.trainer.Twins;
import io.sluice.lab.chaos.trainer.Verdict;
import io.sluice.schema.run.Delivery;
import io.sluice.service.cluster.ClusterService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** The runs that are trained on now, and the judgement of those that are over. */
final class Runs {
  private final ClusterService service;
  private final Workload workload;
  private final Checks checks;
  private final Path journals;
  private final Duration pace;
  private final MachineClock clock;
  private final Map<String, TrainedRun> running = new TreeMap<>();
  private final List<Verdict> verdicts = new ArrayList<>();
  private final Twins twins = new Twins();
  private final Set<String> spoilt = new HashSet<>();

  Runs(
      ClusterService service,
      Workload workload,
      Checks checks,
      Path journals,
      Duration pace,
      MachineClock clock) {
    this.clock = clock;
    this.service = service;
    this.workload = workload;
    this.checks = checks;
    this.journals = journals;
    this.pace = pace;
  }

  /**
   * Starts a run, and a trainer on it.
   *
   * @param hurried batches that the trainer takes without a pause
   */
  void start(PlannedRun plan, long hurried) {
    RunInfo run = workload.start(plan);
    running.put(plan.name(), TrainedRun.start(service, run, plan, journals, pace, hurried, clock));
  }

  /** Starts a run that nobody trains on, and that nobody judges. */
  RunInfo startStranger() {
    return workload.start(
        new PlannedRun("stranger", Reweighting.STATIC, Delivery.TOKENS, TrainerProgram.JAVA));
  }

  /** Deletes it, whatever has become of it. */
  void deleteStranger(RunInfo stranger) {
    workload.ended(stranger);
    workload.delete(stranger.name());
  }

  /** Those that are trained on. */
  List<TrainedRun> all() {
    return List.copyOf(running.values());
  }

  /** Those of them that have a stream, or have none. */
  List<TrainedRun> all(boolean derived) {
    return all().stream().filter(run -> run.isDerived() == derived).toList();
  }

  /** One whose weights nobody but people moves. */
  TrainedRun steady(Random random) {
    List<TrainedRun> steady =
        all().stream().filter(run -> run.plan().policy().equals(Reweighting.STATIC)).toList();
    return steady.get(random.nextInt(steady.size()));
  }

  /** From here on readers may refuse the file, by its name. */
  void spoilt(Path file) {
    spoilt.add(String.valueOf(file.getFileName()));
  }

  /** The batch that every run's trainer has taken. */
  long leastAccepted() {
    return all().stream().mapToLong(run -> run.journal().lastAccepted()).min().orElse(0);
  }

  /** Stops the run's trainer and judges what it took. */
  void verifier(TrainedRun run) {
    release(run);
    verdicts.add(new Verifier(service.access(), run, twins, spoilt).verifier());
  }

  /** The same for a run whose stream is gone. */
  void judgeWithoutStream(TrainedRun run) {
    release(run);
    verdicts.add(new Verifier(service.access(), run, twins, spoilt).judgeJournalAlone());
  }

  private void release(TrainedRun run) {
    service.release(run.trainer());
    workload.ended(run.run());
  }

  /** Deletes a run that is judged, and starts another under its name. */
  void replace(TrainedRun run) {
    checks.check(run.run());
    workload.delete(run.name());
    start(run.plan(), 0);
  }

  /** All judgements so far. */
  List<Verdict> verdicts() {
    return List.copyOf(verdicts);
  }
}
