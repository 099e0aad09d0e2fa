package io.sluice.service.broker;

import io.sluice.control.error.UnreachableException;
import io.sluice.service.supervise.LongWait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;

/** Asks a broker whether it serves. */
public final class BrokerProbe {
  private static final long ATTEMPT_MILLIS = 500;
  private static final int LINES_MEANWHILE = 1;
  private static final int LINES_AT_THE_END = 12;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private BrokerProbe() {}

  /**
   * Waits until the broker describes a cluster that has as many nodes, for as long as it runs: what
   * it has to recover may be much, and the machine busy.
   *
   * @param nodes brokers of the cluster
   * @param isAlive whether the broker still runs
   * @param log of the broker
   * @param wait told what the broker says meanwhile
   * @throws UnreachableException if it ends, or this thread is interrupted; the message quotes its
   *     log
   */
  public static void requireReady(
      String bootstrapServers, int nodes, BooleanSupplier isAlive, Path log, LongWait wait) {
    BooleanSupplier goesOn =
        () -> {
          wait.goOn(
              () -> "Kafka starts; the end of " + log + ":\n" + LogTail.of(log, LINES_MEANWHILE));
          return isAlive.getAsBoolean();
        };
    if (!awaitReady(bootstrapServers, nodes, goesOn)) {
      throw notReady(isAlive.getAsBoolean() ? "was not waited for" : "ended while it started", log);
    }
  }

  /** The same for a time: for those who are not there to end it. */
  static void requireReady(
      String bootstrapServers, int nodes, Duration timeout, BooleanSupplier isAlive, Path log) {
    if (!awaitReady(bootstrapServers, nodes, timeout, isAlive)) {
      String late =
          "did not answer on " + bootstrapServers + " within " + timeout.toSeconds() + " s";
      throw notReady(isAlive.getAsBoolean() ? late : "ended while it started", log);
    }
  }

  private static UnreachableException notReady(String what, Path log) {
    return new UnreachableException(
        "the broker " + what + "; end of " + log + ":\n" + LogTail.of(log, LINES_AT_THE_END));
  }

  static boolean awaitReady(
      String bootstrapServers, int nodes, Duration timeout, BooleanSupplier isAlive) {
    long deadline = System.nanoTime() + timeout.toNanos();
    return awaitReady(
        bootstrapServers, nodes, () -> System.nanoTime() < deadline && isAlive.getAsBoolean());
  }

  private static boolean awaitReady(String bootstrapServers, int nodes, BooleanSupplier goesOn) {
    if (Thread.currentThread().isInterrupted()) {
      return false; // a client's classes do not load in a thread that is interrupted
    }
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", bootstrapServers,
            "reconnect.backoff.ms", 20,
            "reconnect.backoff.max.ms", 100,
            "retry.backoff.ms", 20);
    Admin admin = Admin.create(settings);
    try {
      while (goesOn.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
        if (nodes(admin) >= nodes) {
          return true;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      return false;
    } finally {
      // Without a limit it would wait for the calls that nobody answers.
      admin.close(Duration.ZERO);
    }
  }

  private static int nodes(Admin admin) {
    try {
      return admin.describeCluster().nodes().get(ATTEMPT_MILLIS, TimeUnit.MILLISECONDS).size();
    } catch (ExecutionException | TimeoutException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
