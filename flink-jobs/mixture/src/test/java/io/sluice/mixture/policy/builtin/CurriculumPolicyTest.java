package io.sluice.mixture.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policies;
import io.sluice.mixture.policy.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CurriculumPolicyTest {
  private static final List<String> TEN =
      IntStream.range(0, 10).mapToObj(i -> "part-" + (10 - i)).toList();

  private static Cadence cadence(long every, long lag, long batches) {
    return new Cadence(every, lag, new TreeMap<>(Map.of(1L, 8)), batches);
  }

  private static Policy curriculum(
      Map<String, String> settings, List<String> domains, Cadence cadence) {
    return Policies.create("curriculum", settings, domains).inRun(cadence);
  }

  private static double[] after(Policy policy, long step) {
    return policy.decide(new byte[0], Observation.at(step)).shares();
  }

  @ParameterizedTest
  @CsvSource({"10, 0", "7, 0", "30, 5", "64, 3"})
  void givesEachBucketItsShareOfTheTokensHoweverTheRoundsFall(long every, long lag) {
    Policy policy = curriculum(Map.of(), TEN, cadence(every, lag, 1000));
    double[] batches = new double[10];
    long from = 0;
    double[] shares = policy.startingShares(new double[10]);
    for (long round = 1; from < 1000; round++) {
      long to = Math.min(1000, round * every + lag);
      for (int i = 0; i < 10; i++) {
        batches[i] += (to - from) * shares[i];
      }
      from = to;
      shares = after(policy, round * every);
    }
    double[] hundred = new double[10];
    Arrays.fill(hundred, 100);
    assertThat(batches).containsExactly(hundred, offset(1e-9));
  }

  @Test
  void beginsWithTheEasiestWhoseNumberIsTheLeast() {
    Policy policy = curriculum(Map.of(), TEN, cadence(10, 0, 1000));
    double[] first = new double[10];
    first[9] = 1;
    assertThat(policy.startingShares(new double[10])).containsExactly(first);
    double[] last = new double[10];
    last[0] = 1;
    assertThat(after(policy, 990)).containsExactly(last, offset(1e-9));
    Policy down = curriculum(Map.of("order", "high-to-low"), TEN, cadence(10, 0, 1000));
    assertThat(down.startingShares(new double[10])).containsExactly(last);
  }

  @Test
  void takesFromAllBucketsAtRandomAndAfterTheEnd() {
    List<String> two = List.of("hard", "easy");
    Map<String, String> sizes = Map.of("sizes.hard", "1", "sizes.easy", "3");
    Map<String, String> random = new TreeMap<>(sizes);
    random.put("order", "random");
    Policy shuffled = curriculum(random, two, cadence(0, 0, 100));
    assertThat(shuffled.hasRounds()).isFalse();
    assertThat(shuffled.startingShares(new double[2])).containsExactly(.25, .75);
    Map<String, String> ordered = new TreeMap<>(sizes);
    ordered.put("buckets", "easy hard");
    ordered.put("until", "320 sequences");
    Policy policy = curriculum(ordered, two, cadence(10, 0, 0));
    assertThat(policy.startingShares(new double[2])).containsExactly(0, 1);
    assertThat(after(policy, 30)).containsExactly(1, 0);
    assertThat(after(policy, 40)).containsExactly(.25, .75);
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> curriculum(Map.of(), TEN, cadence(10, 0, 0)))
        .hasMessage("policy.curriculum.until must be given in a run without an end: it is not");
    assertThatThrownBy(
            () -> curriculum(Map.of("buckets", "a a"), List.of("a", "b"), cadence(10, 0, 10)))
        .hasMessage("policy.curriculum.buckets must name each of [a, b] once: [a, a]");
    assertThatThrownBy(() -> curriculum(Map.of("until", "9 days"), TEN, cadence(10, 0, 10)))
        .hasMessage(
            "policy.curriculum.until must be a whole number of batches or of sequences, such as"
                + " '5000 batches' or '4M sequences', from 1 to 2^52: '9 days'");
  }
}
