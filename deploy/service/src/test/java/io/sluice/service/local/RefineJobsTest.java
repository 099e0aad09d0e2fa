package io.sluice.service.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.corpus.range.SourceRoots;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;

class RefineJobsTest {
  private static final String REFINING = "refining a: web to 2 domains";

  private final List<String> events = new ArrayList<>();
  private final TestingRunner runner = new TestingRunner();
  private String topicsFailWith = "";
  private long now;
  private final RefineJobs jobs =
      new RefineJobs(
          runner,
          KafkaAccess.local("unused:9092"),
          new Preparation(1, 1, SourceRoots.NONE),
          spec -> {
            if (!topicsFailWith.isEmpty()) {
              throw new IllegalStateException(topicsFailWith);
            }
          },
          () -> now,
          events::add);

  @Test
  void aRefineryIsStartedOnceAndAgainWhenItsModelsMove() {
    jobs.apply(refinery("here"));
    jobs.apply(refinery("here"));
    jobs.look();
    assertThat(runner.started).containsExactly("sluice.refine-a");

    jobs.apply(refinery("there"));
    assertThat(runner.started).hasSize(2);
    assertThat(runner.cancelled).isEqualTo(1);
    assertThat(events).containsExactly(REFINING, REFINING);
  }

  @Test
  void aStartThatFailedIsToldAndTriedAgainAfterAPause() {
    topicsFailWith = "no broker answers";
    jobs.apply(refinery("here"));
    jobs.apply(refinery("here"));
    assertThat(events)
        .containsExactly(
            "refinery a cannot be run: no broker answers; it is tried again in 1 s, and then once a"
                + " minute at least");

    topicsFailWith = "";
    now += Duration.ofMillis(999).toNanos();
    jobs.look();
    assertThat(runner.started).isEmpty();
    now += Duration.ofMillis(1).toNanos();
    jobs.look();
    assertThat(runner.started).hasSize(1);
  }

  @Test
  void aRefineryThatHasFailedIsToldOnceAndHoldsUpNoOther() {
    jobs.apply(refinery("here"));
    runner.status = JobStatus.FAILED;
    jobs.look();
    jobs.look();
    jobs.apply(RefineSpec.newBuilder(refinery("here")).setName("b").build());

    assertThat(events)
        .containsExactly(
            REFINING, "refinery a is no longer run; it broke", "refining b: web to 2 domains");
  }

  @Test
  void aRefineryThatWasDeletedHasLeftOnceItsJobHasEnded() {
    jobs.apply(refinery("here"));
    runner.status = JobStatus.RUNNING;
    jobs.delete("a");
    jobs.look();
    assertThat(jobs.hasLeft("a")).as("before its job has ended").isFalse();
    runner.status = JobStatus.CANCELED;
    jobs.look();
    jobs.look();
    assertThat(jobs.hasLeft("a")).isTrue();
    assertThat(runner.started).hasSize(1);
    assertThat(runner.cancelled).isEqualTo(1);
    assertThat(events).containsExactly(REFINING, "refinery a is deleted");

    jobs.delete("none");
    jobs.apply(RefineSpec.newBuilder(refinery("here")).setName("none").build());
    jobs.look();
    assertThat(jobs.hasLeft("none")).isTrue();
    assertThat(runner.started).containsExactly("sluice.refine-a", "sluice.refine-none");
  }

  private static RefineSpec refinery(String model) {
    return new RefineSpec(
        "a",
        List.of("web"),
        "o-{topic}",
        List.of("o-1", "o-2"),
        List.of(new RefineStep("topic", model, "00", Map.of())),
        1L);
  }
}
