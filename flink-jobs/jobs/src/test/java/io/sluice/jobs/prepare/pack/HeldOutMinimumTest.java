package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.schema.DatasetSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HeldOutMinimumTest {
  private static final String STATE_1 =
      "01000000000000000200000001ed47fc6c48e04d7d0000000282c9de044be71ea7fa34f734c4f8a09b";

  @Test
  void fiftyDocumentsHaveSomeHeldOutAtAnyShare() {
    HeldOutMinimum minimum = minimum(100);

    assertThat(IntStream.range(0, 50).filter(i -> minimum.takes(document("text " + i, 0))).boxed())
        .hasSize(14)
        .startsWith(1, 3, 5)
        .endsWith(25, 27);
  }

  @Test
  void aDomainThatIsSmallerThanTheMinimumIsHalvedAndNotHeldOutAsAWhole() {
    HeldOutMinimum minimum = minimum(1 << 20);

    assertThat(IntStream.range(0, 7).filter(i -> minimum.takes(document("text " + i, 0))).boxed())
        .containsExactly(1, 3, 5);
  }

  @Test
  void whatTheShareHoldsOutCounts() {
    HeldOutMinimum minimum = minimum(100);
    long tokens = 0;
    for (int i = 0; tokens < 100; i++) {
      TokenizedDocument document = document("text " + i, 0.9);
      if (minimum.takes(document)) {
        assertThat(document.heldOut() || i < 4).isTrue();
        tokens += document.tokens().length / 2 + 1;
      }
    }

    assertThat(minimum.takes(document("later", 0))).isFalse();
    assertThat(minimum.takes(document("later still", 0))).isFalse();
  }

  @Test
  void withoutAMinimumTheShareDecidesAlone() {
    HeldOutMinimum minimum = minimum(0);

    for (int i = 0; i < 200; i++) {
      TokenizedDocument document = document("text " + i, 0.3);
      assertThat(minimum.takes(document)).isEqualTo(document.heldOut());
    }
    assertThat(minimum.changed()).isFalse();
  }

  /** At 500 seeds, with copies everywhere, and state that is taken at any time. */
  @Test
  void aTextIsNeverOnBothSidesAndRestoredEqualsNeverStopped() {
    for (int seed = 0; seed < 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int least = random.nextInt(200);
      double share = random.nextInt(3) * 0.1;
      HeldOutMinimum straight = minimum(least);
      HeldOutMinimum stopped = minimum(least);
      Map<String, Boolean> sides = new HashMap<>();
      for (int i = 0; i < 300; i++) {
        String text = "text " + random.nextInt(60);
        boolean held = straight.takes(document(text, share));
        if (random.nextInt(5) == 0) {
          byte[] snapshot = stopped.snapshot();
          stopped = minimum(least);
          stopped.restore(snapshot);
        }
        assertThat(stopped.takes(document(text, share))).as("seed %s, %s", seed, i).isEqualTo(held);
        assertThat(sides.merge(text, held, (first, later) -> first && later))
            .as("seed %s, '%s'", seed, text)
            .isEqualTo(held);
      }
    }
  }

  @Test
  void stateOfVersionOne() {
    HeldOutMinimum minimum = minimum(100);
    List<Boolean> taken = new ArrayList<>();
    for (String text : List.of("a", "b", "c")) {
      taken.add(minimum.takes(document(text, 0)));
    }

    assertThat(taken).containsExactly(false, true, false);
    assertThat(HexFormat.of().formatHex(minimum.snapshot())).isEqualTo(STATE_1);
    HeldOutMinimum restored = minimum(100);
    restored.restore(HexFormat.of().parseHex(STATE_1));
    assertThat(List.of("d", "c", "b").stream().map(text -> restored.takes(document(text, 0))))
        .containsExactly(true, false, true);
  }

  private static HeldOutMinimum minimum(int tokens) {
    return new HeldOutMinimum(
        DatasetSpec.newBuilder(TestingDatasets.dataset(8, 1, 0)).setHeldOutTokens(tokens).build());
  }

  private static TokenizedDocument document(String text, double share) {
    return TestingDatasets.document("java", text, text, new HeldOutRule(share, 2));
  }
}
