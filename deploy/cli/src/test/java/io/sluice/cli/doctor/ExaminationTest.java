package io.sluice.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.service.Patience;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;

class ExaminationTest {
  private static final Check FINE = new TestingCheck("fine", () -> {});
  private static final Duration LONG = Duration.ofMinutes(2);

  /** A check that does something before it has nothing to say. */
  private record TestingCheck(String name, Deed deed) implements Check {
    interface Deed {
      void run() throws ExecutionException, InterruptedException;
    }

    @Override
    public List<Finding> look() throws ExecutionException, InterruptedException {
      deed.run();
      return List.of(Finding.ok(name, "looked at"));
    }
  }

  private static Check failing(Exception cause) {
    return new TestingCheck(
        "failing",
        () -> {
          throw new ExecutionException(cause);
        });
  }

  private static List<Finding> of(Check... others) {
    return new Examination(LONG).of(FINE, List.of(others));
  }

  @Test
  void oneThatFailsStopsNoOther() {
    Check bug =
        new TestingCheck(
            "bug",
            () -> {
              throw new IllegalStateException("a bug");
            });
    assertThat(
            of(
                bug,
                failing(new ClusterAuthorizationException("no")),
                failing(new UnsupportedVersionException("old")),
                failing(new SaslAuthenticationException("who?")),
                failing(new TimeoutException("late")),
                FINE))
        .extracting(Finding::verdict)
        .containsExactly(
            Verdict.OK,
            Verdict.FAILURE,
            Verdict.SKIPPED,
            Verdict.SKIPPED,
            Verdict.FAILURE,
            Verdict.FAILURE,
            Verdict.OK);
  }

  @Test
  void oneThatDoesNotEndIsLeftAlone() {
    CountDownLatch interrupted = new CountDownLatch(1);
    Check endless =
        new TestingCheck(
            "endless",
            () -> {
              try {
                new CountDownLatch(1).await();
              } finally {
                interrupted.countDown();
              }
            });
    List<Finding> findings = new Examination(Duration.ofMillis(50)).of(endless, List.of(FINE));
    assertThat(findings)
        .extracting(Finding::line)
        .containsExactly(
            "failure  endless: no answer within 50ms; --timeout gives more time",
            "skipped  fine: needs 'endless' to be right");
    Patience.await(Duration.ofSeconds(10), () -> interrupted.getCount() == 0);
  }

  @Test
  void aReportIsForPeopleAndForPrograms() {
    DoctorReport report =
        new DoctorReport(
            "a:1",
            "sluice.",
            List.of(Finding.ok("x", "fine"), Finding.failure("y", "broken", "mend it")));
    assertThat(report.lines()).containsExactly("ok       x: fine", "failure  y: broken; mend it");
    assertThat(new ObjectMapper().valueToTree(report.view()).toString())
        .isEqualTo(
            "{\"kafka\":\"a:1\",\"prefix\":\"sluice.\",\"passed\":false,\"findings\":["
                + "{\"check\":\"x\",\"verdict\":\"ok\",\"found\":\"fine\",\"help\":\"\"},"
                + "{\"check\":\"y\",\"verdict\":\"failure\",\"found\":\"broken\",\"help\":\"mend"
                + " it\"}]}");
    DoctorReport many =
        new DoctorReport(
            "a:1", "sluice.", Collections.nCopies(23, Finding.warning("x", "odd", "look")));
    assertThat(many.lines()).hasSize(21).endsWith("         x: 3 more lines, all with --json");
    assertThat(many.view().passed()).isTrue();
  }
}
