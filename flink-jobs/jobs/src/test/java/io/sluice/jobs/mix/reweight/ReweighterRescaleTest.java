package io.sluice.jobs.mix.reweight;

import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.spec;
import static io.sluice.control.controller.TestingRuns.supply;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.controller.TestingLog;
import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.TrainerFeedback;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs and supply move with their state when the Reweighter's parallelism changes. */
final class ReweighterRescaleTest {
  private static final List<String> RUNS =
      IntStream.range(0, 9).mapToObj(i -> "run" + i + "-x").toList();

  /** The bodies of each run's entries, which do not say who wrote them or when. */
  private static Map<String, List<Object>> decided(TestingLog log) {
    Map<String, List<Object>> decided = new TreeMap<>();
    for (ControlRecord record : log.all()) {
      decided.computeIfAbsent(record.getRunId(), run -> new ArrayList<>()).add(record.getBody());
    }
    return decided;
  }

  private static void hear(List<TestingReweighter> all, TrainerFeedback report) throws Exception {
    for (TestingReweighter one : all) {
      if (one.owns(report.getRunId())) {
        one.event(Kind.FEEDBACK, report.getRunId(), report);
      }
    }
  }

  private static void settle(List<TestingReweighter> all, long now) throws Exception {
    for (TestingReweighter one : all) {
      one.settle();
      one.time(now);
      one.settle();
    }
  }

  /** Trains all runs, one round at each parallelism; half of a round's reports come before it. */
  private static TestingLog train(List<Integer> parallelisms) throws Exception {
    TestingLog log = new TestingLog();
    List<TestingReweighter> all = List.of(new TestingReweighter(log, "first"));
    TestingReweighter first = all.get(0);
    first.supply(supply("a", 1_000, false));
    first.supply(supply("b", 1_000, false));
    for (String run : RUNS) {
      first.event(Kind.COMMAND, run, apply(run, spec().setRun(run.replace("-x", "")).build()));
      hear(all, of(run, feedback(0, 4, 3)));
    }
    settle(all, 0);
    long now = 0;
    long step = 0;
    for (int parallelism : parallelisms) {
      step += 10;
      now += 10_000;
      for (String run : RUNS) {
        hear(all, of(run, feedback("s" + step, step, 2, 1, 4 - step * 0.04, 3)));
      }
      all = TestingReweighter.rescaled(all, parallelism, now);
      for (String run : RUNS) {
        hear(all, of(run, feedback("s" + step, step, 2, 0, 4, 3 - step * 0.01)));
      }
      settle(all, now + 1_000);
    }
    for (TestingReweighter one : all) {
      one.close();
    }
    return log;
  }

  private static TrainerFeedback of(String run, TrainerFeedback report) {
    return TrainerFeedback.newBuilder(report).setRunId(run).build();
  }

  @Test
  void decidesTheSameWhateverTheParallelism() throws Exception {
    Map<String, List<Object>> rescaled = decided(train(List.of(1, 4, 2, 1)));
    assertThat(rescaled).hasSize(RUNS.size()).isEqualTo(decided(train(List.of(1, 1, 1, 1))));
    assertThat(rescaled.get(RUNS.get(0))).as("started, granted, four rounds").hasSize(6);
  }
}
