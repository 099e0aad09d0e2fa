package io.sluice.djl.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import io.sluice.djl.data.TestingBlocks;
import io.sluice.djl.measure.GradientAlignment;
import io.sluice.djl.measure.GradientAlignment.Alignments;
import io.sluice.djl.measure.ProbeBatches;
import io.sluice.djl.model.DivergedException;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TestingModels;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.TokenBlock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GradientProductsTest {
  private static final ModelSize SIZE = new ModelSize(2, 16, 2, 32, 8);

  private final TrainingLoop loop =
      new TrainingLoop(SIZE, TrainerSettings.builder(1).microBatch(4).seed(9).threads(1).build());
  private final Random random = new Random(6);
  private final Map<String, List<TokenBlock>> pools = new LinkedHashMap<>();

  GradientProductsTest() {
    pools.put("same", TestingBlocks.repetitive(4, SIZE));
    pools.put("noise", blocks());
    pools.put("other", blocks());
  }

  @AfterEach
  void close() {
    loop.close();
  }

  private List<TokenBlock> blocks() {
    List<TokenBlock> blocks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      blocks.add(TestingBlocks.random("noise", random, SIZE));
    }
    return blocks;
  }

  private Map<String, Double> products(
      Map<String, List<TokenBlock>> targets, boolean clip, int kept, String... names) {
    return new GradientProducts(targets, new GradientProducts.Passes(SIZE, 4, true, clip), kept)
        .measure(loop.trainer(), List.of(names), new ProbeBatches(pools, 4), 0);
  }

  private Alignments alignments(String target, boolean clip) {
    return new GradientAlignment(pools.get(target), new ProbeBatches(pools, 4), SIZE, 4, true, clip)
        .measure(loop.trainer(), 0);
  }

  private String[] everyTwo() {
    List<String> names = new ArrayList<>();
    pools.keySet().forEach(a -> pools.keySet().forEach(b -> names.add(a + "/" + b)));
    return names.toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 32})
  void areTheAlignmentsOfEachDomainWithEach(int kept) {
    TestingModels.scale(loop, 4);
    for (boolean clip : new boolean[] {true, false}) {
      Map<String, Double> found = products(Map.of(), clip, kept, everyTwo());
      assertThat(found.keySet()).containsExactly(everyTwo());
      for (String first : pools.keySet()) {
        Alignments aligned = alignments(first, clip);
        aligned
            .alignments()
            .forEach(
                (domain, value) -> {
                  String pair = first + "/" + domain;
                  double scale = clip ? 1 : 1 + Math.abs(value);
                  assertThat(found.get(pair)).as(pair).isCloseTo(value, offset(1e-5 * scale));
                  assertThat(found.get(domain + "/" + first)).isEqualTo(found.get(pair));
                });
      }
    }
  }

  @Test
  void areOfTargetsAndOfThePairsThatAreNamedAlone() {
    Map<String, List<TokenBlock>> targets =
        Map.of("other", pools.get("same"), "noise", pools.get("noise"));
    Map<String, Double> found = products(targets, true, 1, "other/noise", "noise/same");
    assertThat(found.keySet()).containsExactly("other/noise", "noise/same");
    double crossed = alignments("same", true).alignments().get("noise");
    assertThat(found.get("other/noise")).isCloseTo(crossed, offset(1e-5));
    assertThat(found.get("noise/same")).isCloseTo(crossed, offset(1e-5));
  }

  @Test
  void holdNoMoreGradientsThanTheyAreToldAndLeaveNone() {
    int before = TestingModels.liveArraysInProcess();
    products(Map.of(), true, 2, everyTwo());
    assertThat(TestingModels.liveArraysInProcess()).isEqualTo(before);
  }

  @Test
  void refuseWhatIsNotFiniteAndNoRoomForAGradient() {
    TestingModels.spoil(loop);
    assertThatExceptionOfType(DivergedException.class)
        .isThrownBy(() -> products(Map.of(), true, 2, "same/noise"))
        .withMessageStartingWith("gradient norm of same must be finite, it was not published: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> products(Map.of(), true, 0, "same/noise"))
        .withMessageContaining("kept must be at least 1");
  }
}
