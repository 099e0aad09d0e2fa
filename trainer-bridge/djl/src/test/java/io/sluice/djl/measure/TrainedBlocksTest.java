package io.sluice.djl.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.sluice.client.block.Tokens;
import io.sluice.djl.data.TestingBlocks;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrainedBlocksTest {
  private static final TokenBlock APART = TestingBlocks.block("a", 99, 99, 99);
  private static final Map<String, List<TokenBlock>> HELD_OUT =
      Map.of("a", List.of(APART), "b", List.of(APART));

  @TempDir Path directory;

  @Test
  void everyBlockIsInTheSampleWithTheSameProbability() {
    int[] kept = new int[40];
    int seeds = 2_000;
    for (int seed = 0; seed < seeds; seed++) {
      TrainedBlocks trained = gathering(seed, 10);
      trained.add(blocks(0, 40));
      trained.over(HELD_OUT).get("a").forEach(block -> kept[Tokens.of(block)[0]]++);
    }
    for (int count : kept) {
      // Four standard deviations of a binomial of 2,000 with p = 1/4 are 77.
      assertThat((double) count).isCloseTo(seeds / 4.0, within(78.0));
    }
  }

  @Test
  void aDomainThatWasNotTrainedOnHasWhatIsHeldOut() {
    TrainedBlocks trained = gathering(1, 4);
    trained.add(blocks(0, 2));
    assertThat(trained.over(HELD_OUT).get("a")).isEqualTo(blocks(0, 2));
    assertThat(trained.over(HELD_OUT).get("b")).containsExactly(APART);
  }

  @Test
  void gathersNothingUntilItIsTold() {
    TrainedBlocks trained = new TrainedBlocks(1);
    trained.add(blocks(0, 3));
    assertThat(trained.over(HELD_OUT).get("a")).containsExactly(APART);
    trained.gather(2);
    trained.add(blocks(3, 1));
    assertThat(trained.over(HELD_OUT).get("a")).isEqualTo(blocks(3, 1));
    trained.gather(0);
    assertThat(trained.over(HELD_OUT).get("a")).containsExactly(APART);
  }

  @Test
  void rowsOfAnotherLengthBeginANewSample() {
    TrainedBlocks trained = gathering(1, 8);
    trained.add(blocks(0, 3));
    TokenBlock longer = TestingBlocks.block("b", 1, 2, 3, 4, 5);
    trained.add(List.of(longer));
    assertThat(trained.over(HELD_OUT)).isEqualTo(Map.of("a", List.of(APART), "b", List.of(longer)));
  }

  @Test
  void goesOnFromAFileAsIfItHadNeverStopped() throws IOException {
    TrainedBlocks whole = gathering(7, 5);
    whole.add(blocks(0, 90));
    TrainedBlocks first = gathering(7, 5);
    first.add(blocks(0, 41));
    first.save(directory.resolve("sample"));
    TrainedBlocks second = new TrainedBlocks(7);
    second.load(directory.resolve("sample"));
    second.gather(5);
    second.add(blocks(41, 49));
    assertThat(second.over(HELD_OUT)).isEqualTo(whole.over(HELD_OUT));
  }

  @Test
  void aCheckpointWithoutASampleGivesNone() throws IOException {
    TrainedBlocks trained = gathering(1, 4);
    trained.add(blocks(0, 2));
    trained.load(directory.resolve("missing"));
    assertThat(trained.over(HELD_OUT)).isEqualTo(HELD_OUT);
  }

  @Test
  void refusesAFileOfALaterVersion() throws IOException {
    Path file = Files.write(directory.resolve("sample"), new byte[] {0, 0, 0, 9});
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TrainedBlocks(1).load(file))
        .withMessage(file + " must be of version 1: 9");
  }

  private static TrainedBlocks gathering(long seed, int most) {
    TrainedBlocks trained = new TrainedBlocks(seed);
    trained.gather(most);
    return trained;
  }

  /** Blocks of domain a whose first token is their number. */
  private static List<TokenBlock> blocks(int from, int count) {
    List<TokenBlock> blocks = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      blocks.add(TestingBlocks.block("a", i, 1, 2));
    }
    return blocks;
  }
}
