package io.sluice.mixture.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.plan.Weights;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class HeirsTest {
  private static final List<String> DOMAINS = List.of("a", "b", "c", "d", "e");

  @Test
  void aDomainIsSplitAndTheOthersKeepWhatTheyHave() {
    Weights before = Weights.ofShares(5, 2, 3, 0, 0);
    Weights after = hand(before, of("a"), heir("d", "a", .3), heir("e", "a", .7));
    assertThat(after.part(0)).isZero();
    assertThat(after.part(1)).isEqualTo(before.part(1));
    assertThat(after.part(2)).isEqualTo(before.part(2));
    assertThat(after.share(3)).isCloseTo(.15, within());
    assertThat(after.part(3) + after.part(4)).isEqualTo(before.part(0));
  }

  @Test
  void domainsAreMergedIntoANewOneOrOneOfThem() {
    Weights before = Weights.ofShares(1, 2, 3, 0, 4);
    assertThat(hand(before, of("a", "b"), heir("d", "a", 1), heir("d", "b", 1)))
        .isEqualTo(Weights.ofShares(0, 0, 3, 3, 4));
    assertThat(hand(before, of("a"), heir("c", "a", 1))).isEqualTo(Weights.ofShares(0, 2, 4, 0, 4));
  }

  @Test
  void whatHeirsGetSumsByParentWhateverTheShares() {
    Random random = new Random(7);
    for (int round = 0; round < 10_000; round++) {
      Weights before =
          Weights.ofShares(
              random.nextDouble(), random.nextDouble() / (1L << 38), random.nextDouble(), 0, 0);
      double d = 1e-12 + random.nextDouble() * (1 - 2e-12);
      Weights after = hand(before, of("a"), heir("d", "a", d), heir("e", "a", 1 - d));
      assertThat(after.part(3) + after.part(4)).isEqualTo(before.part(0));
      after = hand(before, of("b"), heir("d", "b", d), heir("e", "b", 1 - d));
      assertThat(after.part(3) + after.part(4)).isEqualTo(before.part(1));
      assertThat(after.part(0)).isEqualTo(before.part(0));
    }
  }

  @Test
  void refusesWhatWouldLoseOrMakeWeight() {
    Weights before = Weights.uniform(5);
    assertRefused(
        before, of("a"), "inherited only from domains that are taken out", heir("b", "c", 1));
    assertRefused(
        before, of("a"), "inherited only from domains that are taken out", heir("b", "x", 1));
    assertRefused(
        before, of("a", "b"), "have not ended and are not taken out: 'b'", heir("b", "a", 1));
    assertRefused(before, of("a"), "have not ended and are not taken out: 'x'", heir("x", "a", 1));
    assertRefused(
        before, of("a"), "shares in the weight of a must sum to 1: 0.5", heir("b", "a", .5));
    assertRefused(
        before, of("a"), "b inherits from a twice", heir("b", "a", .5), heir("b", "a", .5));
    assertThatThrownBy(() -> heir("b", "a", 0)).hasMessageContaining("must be in (0, 1]: 0.0");
    assertThatThrownBy(() -> heir("b", "a", Double.NaN)).hasMessageContaining("(0, 1]: NaN");
  }

  private static void assertRefused(
      Weights before, BitSet leaving, String reason, Inheritance... inheritances) {
    assertThatThrownBy(() -> hand(before, leaving, inheritances))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  private static Weights hand(Weights before, BitSet leaving, Inheritance... inheritances) {
    return Heirs.of(DOMAINS, leaving, leaving, List.of(inheritances)).handOver(before);
  }

  private static BitSet of(String... names) {
    BitSet set = new BitSet();
    List.of(names).forEach(name -> set.set(DOMAINS.indexOf(name)));
    return set;
  }

  private static Inheritance heir(String domain, String parent, double share) {
    return new Inheritance(domain, parent, share);
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-9);
  }
}
