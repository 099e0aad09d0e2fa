package io.sluice.lab.chaos;

import io.sluice.client.run.RunInfo;
import io.sluice.control.error.UnreachableException;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.fault.RecordForger;
import io.sluice.lab.chaos.fault.Signals;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.supervise.SupervisedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Lets things go wrong. */
record Faults(ClusterService service, Runs runs, Duration deliveryTimeout) {
  private static final Duration STALL_BEYOND_TIMEOUT = Duration.ofSeconds(3);
  private static final int ATTEMPTS = 3;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(5);
  private static final int SHORTEST_FREEZE_MILLIS = 2_000;
  private static final int LONGER_FREEZE_MILLIS = 8_000;

  /**
   * Injects a fault; returns when it is over, not when its consequences are.
   *
   * @return what was hit
   */
  String inject(FaultKind kind, Random random) {
    return switch (kind) {
      case KILL_TASK_MANAGER -> kill(one(service.taskManagers(), random));
      case FREEZE_TASK_MANAGER -> freeze(one(service.taskManagers(), random), some(random));
      case KILL_JOB_MANAGER -> kill(service.jobManager());
      case FREEZE_JOB_MANAGER -> freeze(service.jobManager(), some(random));
      case KILL_BROKER -> kill(broker());
      case FREEZE_BROKER -> freeze(broker(), deliveryTimeout.plus(STALL_BEYOND_TIMEOUT));
      case KILL_TRAINER -> kill(one(runs.all(), random).trainer());
      case FREEZE_TRAINER -> freeze(one(runs.all(), random).trainer(), some(random));
      case KILL_ALL -> killAll();
      case DELETE_STREAM -> deleteStream(one(runs.all(), random));
      case RECREATE_RUN -> recreate(one(runs.all(), random));
      case RESCALE -> rescale(random);
      case RESTORE_SAVEPOINT -> restoreSavepoint(random);
      case SECOND_MIXER -> secondMixer(some(random));
      case OLD_PROPOSALS, RIVAL_PROPOSALS, CORRUPT_RECORDS, REPEATED_FEEDBACK ->
          forge(kind, one(runs.all(), random).run(), random);
    };
  }

  private static String kill(SupervisedProcess process) {
    process.kill();
    return process.name();
  }

  private static String freeze(SupervisedProcess process, Duration time) {
    long pid = process.pid();
    Signals.stop(pid);
    try {
      Waiting.pass(time);
    } finally {
      Signals.goOn(pid);
    }
    long tenths = time.toMillis() / 100;
    return process.name() + " for " + tenths / 10.0 + " s";
  }

  private String killAll() {
    service.broker().ifPresent(SupervisedProcess::kill);
    service.jobManager().kill();
    service.taskManagers().forEach(SupervisedProcess::kill);
    runs.all().forEach(run -> run.trainer().kill());
    return "all";
  }

  private String deleteStream(TrainedRun run) {
    String topic = LostStream.delete(service.access(), run.run());
    runs.judgeWithoutStream(run);
    runs.replace(run);
    return topic;
  }

  private String recreate(TrainedRun run) {
    runs.verifier(run);
    runs.replace(run);
    return run.name();
  }

  private String rescale(Random random) {
    int parallelism = parallelism(random);
    service.restartMix(parallelism);
    return "parallelism " + parallelism;
  }

  private String restoreSavepoint(Random random) {
    int parallelism = parallelism(random);
    patiently(() -> service.restartMixFromSavepoint(parallelism));
    return "parallelism " + parallelism;
  }

  private String secondMixer(Duration time) {
    AutoCloseable second = service.secondMixJob();
    try {
      Waiting.pass(time);
    } finally {
      patiently(() -> close(second));
    }
    return "for " + time.toSeconds() + " s";
  }

  /** A job manager that is busy with the fault before may need another question. */
  private static void patiently(Runnable request) {
    for (int attempt = 1; ; attempt++) {
      try {
        request.run();
        return;
      } catch (UnreachableException e) {
        if (attempt == ATTEMPTS || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        Waiting.pass(BETWEEN_ATTEMPTS);
      }
    }
  }

  private static void close(AutoCloseable job) {
    try {
      job.close();
    } catch (Exception e) {
      throw new UnreachableException("the second mixer cannot be ended: " + e, e);
    }
  }

  private String forge(FaultKind kind, RunInfo run, Random random) {
    try (RecordForger forger = new RecordForger(service.access())) {
      switch (kind) {
        case OLD_PROPOSALS -> forger.repeatProposals(run, random);
        case RIVAL_PROPOSALS -> forger.leadLosingLineage(run);
        case CORRUPT_RECORDS -> forger.corrupt(run, random);
        default -> forger.repeatFeedback(run, random);
      }
    }
    return run.name();
  }

  private SupervisedProcess broker() {
    return service.broker().orElseThrow();
  }

  private int parallelism(Random random) {
    return 1 + random.nextInt(2 * service.taskManagers().size());
  }

  private static Duration some(Random random) {
    return Duration.ofMillis(SHORTEST_FREEZE_MILLIS + random.nextInt(LONGER_FREEZE_MILLIS));
  }

  private static <T> T one(List<T> all, Random random) {
    return all.get(random.nextInt(all.size()));
  }
}
