package io.sluice.cli.doctor;

import io.sluice.control.config.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Looks at one thing after another, at each for a bounded time; what one comes to, a failure of its
 * own included, stops none of the others.
 *
 * @param limit for each
 */
record Examination(Duration limit) {
  private static final String MORE_TIME = "--timeout gives more time";

  /**
   * What the checks find, in their order.
   *
   * @param first what the others are skipped without
   */
  List<Finding> of(Check first, List<Check> others) {
    List<Finding> findings = new ArrayList<>(bounded(first));
    boolean passed = findings.stream().noneMatch(each -> each.verdict() == Verdict.FAILURE);
    for (Check check : others) {
      findings.addAll(
          passed
              ? bounded(check)
              : List.of(Finding.skipped(check.name(), "needs '" + first.name() + "' to be right")));
    }
    return findings;
  }

  private List<Finding> bounded(Check check) {
    FutureTask<List<Finding>> task = new FutureTask<>(check::look);
    Thread thread = new Thread(task, "sluice-doctor");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return List.of(
          Finding.failure(check.name(), "no answer within " + Durations.format(limit), MORE_TIME));
    } catch (ExecutionException e) {
      return List.of(failed(check.name(), cause(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of(Finding.skipped(check.name(), "was interrupted"));
    } finally {
      thread.interrupt();
    }
  }

  /** A check throws what its brokers' answers are completed with as the cause of another one. */
  private static Throwable cause(ExecutionException e) {
    Throwable thrown = Objects.requireNonNullElse(e.getCause(), e);
    return thrown instanceof ExecutionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : thrown;
  }

  private static Finding failed(String check, Throwable e) {
    String said = Objects.toString(e.getMessage(), e.toString());
    if (e instanceof AuthorizationException) {
      return Finding.skipped(check, "this user may not ask: " + said);
    }
    if (e instanceof UnsupportedVersionException) {
      return Finding.skipped(check, "these brokers cannot be asked: " + said);
    }
    if (e instanceof AuthenticationException) {
      return Finding.failure(
          check,
          "the brokers refuse this client: " + said,
          "its user, password and certificates are what --kafka-config gives");
    }
    if (e instanceof org.apache.kafka.common.errors.TimeoutException) {
      return Finding.failure(check, "the brokers do not answer: " + said, MORE_TIME);
    }
    return Finding.failure(check, said, "the brokers' log may say more");
  }
}
