package io.sluice.mixture.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.simulate.Variations.Pair;
import io.sluice.mixture.simulate.scenario.Invented;
import io.sluice.mixture.simulate.scenario.Scenario;
import io.sluice.mixture.simulate.scenario.Scenarios;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariationsTest {
  private static final Scenario STACK = Scenarios.named("system-stack").inSteps(100, 10);

  private static Candidate candidate(String policy, Map<String, String> settings) {
    return new Candidate(policy, policy, settings, Map.of());
  }

  private static final List<Candidate> CANDIDATES =
      List.of(
          candidate("dga", Map.of("beta", "1")),
          candidate("odm", Map.of("warm-up", "0")),
          candidate("importance-sampling", Map.of()));

  private static Variations varied(int draws, long seed) {
    return Variations.of(STACK, CANDIDATES, draws, seed, () -> Proposals.NONE);
  }

  private static final Variations VARIED = varied(6, 7);

  @Test
  void comparesEachWithStaticItsAverageAndTheOthers() {
    assertThat(VARIED.changes()).isEqualTo(2 * VARIED.invented().size());
    assertThat(VARIED.pairs())
        .extracting(pair -> pair.one() + " " + pair.other())
        .containsExactly(
            "dga static",
            "dga average of dga",
            "dga odm",
            "dga importance-sampling",
            "odm static",
            "odm average of odm",
            "odm importance-sampling",
            "importance-sampling static");
    for (Pair pair : VARIED.pairs()) {
      assertThat(pair.lowerInChanges()).isBetween(0, VARIED.changes());
      assertThat(pair.lowerInDraws()).isBetween(0, 6);
      // Where the one is below, what does not flip leaves it there.
      if (pair.difference() < -1e-6) {
        assertThat(pair.lowerInChanges()).isEqualTo(VARIED.changes() - pair.flips().size());
      }
    }
  }

  @Test
  void takesWhatIsTheSameButForRoundingAsTheSame() {
    Pair average = VARIED.pairs().get(1);
    assertThat(average.difference()).isBetween(-1e-6, 1e-6);
    assertThat(average.lowerInDraws()).isZero();
    assertThat(average.flips()).isEmpty();
  }

  private static double objective(List<Run> runs, String label) {
    return runs.stream()
        .filter(run -> run.label().equals(label))
        .findFirst()
        .orElseThrow()
        .trajectory()
        .objective();
  }

  @Test
  void namesTheChangesThatTurnARanking() {
    List<Pair> turned = VARIED.pairs().stream().filter(pair -> !pair.flips().isEmpty()).toList();
    assertThat(turned).isNotEmpty();
    for (Pair pair : turned) {
      String[] flip = pair.flips().get(0).split(" x ", -1);
      double factor = flip[1].equals("2") ? 2 : .5;
      Scenario changed = Invented.scaled(STACK, each -> each.equals(flip[0]) ? factor : 1);
      List<Run> runs = Run.of(new Trial(changed, 7), CANDIDATES, () -> Proposals.NONE);
      double difference = objective(runs, pair.one()) - objective(runs, pair.other());
      assertThat(difference * pair.difference()).as(pair.toString()).isNegative();
    }
  }

  @Test
  void repeatsItselfAndDrawsOthersWithAnotherSeed() {
    assertThat(varied(6, 7).pairs()).isEqualTo(VARIED.pairs());
    assertThat(varied(6, 8).pairs()).isNotEqualTo(VARIED.pairs());
  }
}
