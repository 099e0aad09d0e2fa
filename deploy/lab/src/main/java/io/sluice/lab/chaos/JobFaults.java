package io.sluice.lab.chaos;

import io.sluice.control.error.UnreachableException;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.service.cluster.ClusterService;
import java.time.Duration;
import java.util.Random;

/** What is done to the mixing as a job. */
record JobFaults(ClusterService service) {
  private static final int ATTEMPTS = 3;
  private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(5);

  String rescale(Random random) {
    int parallelism = parallelism(random);
    service.restartMix(parallelism);
    return "parallelism " + parallelism;
  }

  String restoreSavepoint(Random random) {
    int parallelism = parallelism(random);
    patiently(() -> service.restartMixFromSavepoint(parallelism));
    return "parallelism " + parallelism;
  }

  String restoreNothing(Random random) {
    int parallelism = parallelism(random);
    service.restartMixAfresh(parallelism);
    return "parallelism " + parallelism;
  }

  String secondMixer(Duration time) {
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

  private int parallelism(Random random) {
    return 1 + random.nextInt(2 * service.taskManagers().size());
  }
}
