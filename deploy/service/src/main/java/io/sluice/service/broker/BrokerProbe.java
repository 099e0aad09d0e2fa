package io.sluice.service.broker;

import io.sluice.control.error.UnreachableException;
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
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private BrokerProbe() {}

  /**
   * Waits until the broker describes a cluster that has as many nodes.
   *
   * @param nodes brokers of the cluster
   * @param isAlive whether the broker still runs
   * @param log of the broker
   * @throws UnreachableException if it ends or does not answer in time; the message quotes its log
   */
  public static void requireReady(
      String bootstrapServers, int nodes, Duration timeout, BooleanSupplier isAlive, Path log) {
    if (awaitReady(bootstrapServers, nodes, timeout, isAlive)) {
      return;
    }
    String what =
        isAlive.getAsBoolean()
            ? "did not answer on " + bootstrapServers + " within " + timeout.toSeconds() + " s"
            : "ended while it started";
    throw new UnreachableException(
        "the broker " + what + "; end of " + log + ":\n" + LogTail.of(log, 12));
  }

  static boolean awaitReady(
      String bootstrapServers, int nodes, Duration timeout, BooleanSupplier isAlive) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", bootstrapServers,
            "reconnect.backoff.ms", 20,
            "reconnect.backoff.max.ms", 100,
            "retry.backoff.ms", 20);
    Admin admin = Admin.create(settings);
    try {
      while (System.nanoTime() < deadline && isAlive.getAsBoolean()) {
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
