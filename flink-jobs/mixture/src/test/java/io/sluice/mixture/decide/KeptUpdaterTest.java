package io.sluice.mixture.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.RunStateCodec;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.round.Report;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a policy keeps between rounds changes no decision, whatever becomes of its proposals. */
class KeptUpdaterTest {
  private static final int EVENTS = 150;

  private static final Map<String, Map<String, String>> POLICIES =
      Map.of(
          "velocitune", Map.of("target-fraction", "0.5"),
          "dga", Map.of("beta", "0.3"),
          "odm", Map.of("warm-up", "0"),
          "doremi", Map.of(),
          "doge", Map.of(),
          "topic-perplexity", Map.of());

  static Stream<Arguments> runs() {
    return POLICIES.keySet().stream()
        .sorted()
        .flatMap(name -> LongStream.range(0, 4).mapToObj(seed -> Arguments.of(name, seed)));
  }

  private static TestingRun run(String policy) {
    TestingRun.Settings settings = TestingRun.velocitune();
    settings.policy = policy;
    settings.policySettings = POLICIES.get(policy);
    settings.newWeight = 0.5;
    return new TestingRun(settings.build());
  }

  @ParameterizedTest
  @MethodSource("runs")
  void decidesAsIfNothingWereKept(String policy, long seed) {
    Random random = new Random(seed);
    TestingRun run = run(policy);
    int decided = 0;
    for (int event = 0; event < EVENTS; event++) {
      int what = random.nextInt(12);
      if (what == 0) {
        run.state =
            RunStateCodec.decode(
                run.state.planVersion(), run.state.settings(), RunStateCodec.encode(run.state));
      } else if (what == 1 && run.state.position().granted() > 0) {
        rewind(run, "c" + event, random.nextInt((int) run.state.position().granted() + 1));
      } else {
        hear(run, random);
      }
      if (run.next() instanceof Outcome.Propose kept) {
        Outcome.Propose fresh =
            (Outcome.Propose) GrantPlanner.next(run.state, new RunPolicy(), run.inputs());
        assertSame((Grant) kept.entry().body(), (Grant) fresh.entry().body());
        assertThat(kept.entry().why()).isEqualTo(fresh.entry().why());
        decided += ((Grant) kept.entry().body()).decision().isPresent() ? 1 : 0;
        accept(run, kept, random);
      }
    }
    assertThat(decided).isGreaterThan(EVENTS / 4);
  }

  /** Now and then a proposal is lost, or another writer's, which heard something else, wins. */
  private static void accept(TestingRun run, Outcome.Propose proposed, Random random) {
    int what = random.nextInt(6);
    if (what == 0) {
      run.reports.clear();
      hear(run, random);
      if (GrantPlanner.next(run.state, new RunPolicy(), run.inputs())
          instanceof Outcome.Propose other) {
        run.append(other.entry());
      }
    } else if (what > 1) {
      run.append(proposed.entry());
    }
  }

  private static void rewind(TestingRun run, String id, long batch) {
    BatchSnapshots fold = new BatchSnapshots(run.log.get(0), 10);
    for (int i = 1; i < run.log.size(); i++) {
      assertThat(fold.apply(run.log.get(i), 10 + 3L * i)).isTrue();
    }
    BatchSnapshots.Past past = fold.rewound(batch, batch);
    int timeline = run.state.position().timeline();
    run.commands.add(
        new Command.Rewind(id, timeline, past.settings(), past.snapshot(), batch, "again"));
    run.append(((Outcome.Propose) run.next()).entry());
    assertThat(run.state.position().timeline()).isEqualTo(timeline + 1);
    run.reports.clear();
  }

  /** Whatever the next round waits for. */
  private static void hear(TestingRun run, Random random) {
    Policy policy = run.policies.of(run.state.settings());
    for (long step : Report.neededSteps(run.state, policy)) {
      for (String metric : policy.metrics()) {
        double[] sums = {random.nextGaussian() + 300, random.nextGaussian() + 150};
        long[] counts = {100, random.nextInt(8) == 0 ? 0 : 50};
        run.report(new Report(0, step, "a" + step, 1, 0, metric, sums, counts));
      }
    }
  }

  private static void assertSame(Grant kept, Grant fresh) {
    assertThat(kept.weightsVersion()).isEqualTo(fresh.weightsVersion());
    assertThat(kept.batchSizes()).isEqualTo(fresh.batchSizes());
    assertThat(kept.counts()).isEqualTo(fresh.counts());
    assertThat(kept.effective()).isEqualTo(fresh.effective());
    List<RoundDecision> both =
        Stream.of(kept, fresh).flatMap(grant -> grant.decision().stream()).toList();
    if (!both.isEmpty()) {
      RoundDecision mine = both.get(0);
      RoundDecision other = both.get(1);
      assertThat(mine.round()).isEqualTo(other.round());
      assertThat(mine.weights()).isEqualTo(other.weights());
      assertThat(mine.policyState()).isEqualTo(other.policyState());
      assertThat(mine.scores()).isEqualTo(other.scores());
      assertThat(mine.levels()).isEqualTo(other.levels());
    }
  }
}
