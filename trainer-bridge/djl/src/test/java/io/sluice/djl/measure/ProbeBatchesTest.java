package io.sluice.djl.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.djl.data.TestingBlocks;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProbeBatchesTest {
  private static final TokenBlock UNTRAINED =
      TestingBlocks.packed("a", List.of(3), List.of(0, 2), 1, 2, 3);

  @Test
  void walksThePoolInOrderRoundAndRound() {
    List<TokenBlock> pool = pool(5);
    ProbeBatches batches = new ProbeBatches(Map.of("a", pool), 2);
    assertThat(batches.batch("a", 0)).isEqualTo(pool.subList(0, 2));
    assertThat(batches.batch("a", 2)).containsExactly(pool.get(4), pool.get(0));
    assertThat(batches.batch("a", 5)).isEqualTo(batches.batch("a", 0));
  }

  @Test
  void aSmallPoolIsTheBatchAndUntrainedBlocksAreLeftOut() {
    List<TokenBlock> pool = pool(2);
    pool.add(UNTRAINED);
    ProbeBatches batches = new ProbeBatches(Map.of("a", pool), 8);
    assertThat(batches.batch("a", 7)).isEqualTo(pool.subList(0, 2));
  }

  @Test
  void refusesAPoolWithoutTrainedTokens() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProbeBatches(Map.of("a", List.of(UNTRAINED)), 1))
        .withMessageStartingWith(
            "domain a must have at least 1 probe block with trained tokens: 0 of 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProbeBatches(Map.of(), 1))
        .withMessage("probe batches need at least 1 domain: 0");
  }

  @Test
  void heldOutBlocksAreEvaluatedFirstAndProbedAfterwards() {
    Map<String, List<TokenBlock>> heldOut = new LinkedHashMap<>();
    heldOut.put("a", pool(6));
    heldOut.put("few", pool(3));
    heldOut.put("one", pool(1));
    EvaluationSplit split = EvaluationSplit.of(heldOut, 2, List.of("a", "few"));
    assertThat(split.evaluated().get("a")).isEqualTo(heldOut.get("a").subList(0, 2));
    assertThat(split.probes().get("a")).isEqualTo(heldOut.get("a").subList(2, 6));
    assertThat(split.evaluated().get("few")).hasSize(2);
    assertThat(split.probes().get("few")).isEqualTo(heldOut.get("few").subList(1, 3));
    assertThat(split.probes().get("one")).isEqualTo(heldOut.get("one"));
    assertThat(split.target())
        .containsExactly(
            heldOut.get("a").get(0), heldOut.get("a").get(1), heldOut.get("few").get(0));
  }

  @Test
  void refusesATargetDomainWithOneBlock() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EvaluationSplit.of(Map.of("one", pool(1)), 2, List.of("one")))
        .withMessageStartingWith(
            "target domain one must have at least 2 held-out blocks, one to align with and one to"
                + " probe: 1;");
  }

  private static List<TokenBlock> pool(int count) {
    List<TokenBlock> pool = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pool.add(TestingBlocks.block("a", 1, 2, i));
    }
    return pool;
  }
}
