package io.sluice.lab.chaos;

import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.supervise.SupervisedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Lets things go wrong. */
final class Faults {
  private static final Duration STALL_BEYOND_TIMEOUT = Duration.ofSeconds(3);
  private static final int SHORTEST_MILLIS = 2_000;
  private static final int LONGER_MILLIS = 8_000;

  private final ClusterService service;
  private final Runs runs;
  private final Duration stall;
  private final ProcessFaults processes;
  private final BrokerFaults brokers;
  private final StoreFaults store;
  private final JobFaults jobs;
  private final RunFaults ofRuns;

  /**
   * @param deliveryTimeout of the streams; a stall of a broker is longer
   */
  Faults(
      ClusterService service,
      Runs runs,
      ProcessFaults processes,
      BrokerFaults brokers,
      StoreFaults store,
      Duration deliveryTimeout) {
    this.service = service;
    this.runs = runs;
    this.stall = deliveryTimeout.plus(STALL_BEYOND_TIMEOUT);
    this.processes = processes;
    this.brokers = brokers;
    this.store = store;
    this.jobs = new JobFaults(service);
    this.ofRuns = new RunFaults(service.access(), runs);
  }

  /**
   * Injects a fault; returns when it is over, not when its consequences are.
   *
   * @return what was hit
   */
  String inject(FaultKind kind, Random random) {
    return switch (kind) {
      case KILL_TASK_MANAGER -> processes.kill(taskManager(random));
      case FREEZE_TASK_MANAGER -> processes.freeze(taskManager(random), some(random));
      case SLOW_TASK_MANAGER -> processes.slow(taskManager(random), some(random));
      case FULL_DISK_TASK_MANAGER -> processes.fillDisk(taskManager(random), some(random));
      case KILL_JOB_MANAGER -> processes.kill(service.jobManager());
      case FREEZE_JOB_MANAGER -> processes.freeze(service.jobManager(), some(random));
      case KILL_BROKER -> processes.kill(broker(random).process());
      case KILL_BROKERS ->
          processes.killAll(
              service.brokers().stream().map(ClusterService.Broker::process).toList());
      case FREEZE_BROKER -> processes.freeze(broker(random).process(), stall);
      case SLOW_BROKER -> processes.slow(broker(random).process(), some(random));
      case FULL_DISK_BROKER -> processes.fillDisk(broker(random).process(), some(random));
      case POWER_CUT, LOST_FSYNC ->
          brokers.cutPower(broker(random), some(random), kind == FaultKind.POWER_CUT, random);
      case CHANGE_OF_LEADER -> brokers.changeLeaders(random);
      case KILL_TRAINER -> processes.kill(run(random).trainer());
      case FREEZE_TRAINER -> processes.freeze(run(random).trainer(), some(random));
      case KILL_ALL -> processes.killAll(processes.all());
      case ONE_WAY_PARTITION -> processes.partition(some(random), random);
      case CLOCK_JUMP -> processes.jump(some(random), random);
      case DELETE_STREAM -> ofRuns.deleteStream(one(runs.all(false), random));
      case RECREATE_RUN -> ofRuns.recreate(run(random));
      case CUT_SEGMENT -> store.cut(some(random), random);
      case REPLACED_SEGMENT -> store.replace(some(random), one(runs.all(true), random), random);
      case RESCALE -> jobs.rescale(random);
      case RESTORE_SAVEPOINT -> jobs.restoreSavepoint(random);
      case RESTORE_WITHOUT_STATE -> jobs.restoreNothing(random);
      case SECOND_MIXER -> jobs.secondMixer(some(random));
      case OLD_PROPOSALS, RIVAL_PROPOSALS, CORRUPT_RECORDS, REPEATED_FEEDBACK ->
          ofRuns.forge(kind, run(random).run(), random);
      case POISON -> ofRuns.poison(random);
    };
  }

  private SupervisedProcess taskManager(Random random) {
    return one(service.taskManagers(), random);
  }

  private ClusterService.Broker broker(Random random) {
    return one(service.brokers(), random);
  }

  private TrainedRun run(Random random) {
    return one(runs.all(), random);
  }

  private static Duration some(Random random) {
    return Duration.ofMillis(SHORTEST_MILLIS + random.nextInt(LONGER_MILLIS));
  }

  private static <T> T one(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }
}
