package io.sluice.lab.reproduce.arm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.djl.model.ModelSize;
import io.sluice.djl.trainer.TrainerSettings;
import io.sluice.djl.trainer.TrainingLoop;
import io.sluice.schema.TokenBlock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ContinuationsTest {
  private static final ModelSize SIZE = new ModelSize(1, 16, 2, 48, 16);

  /** Each repeats a token of its own, so that its second half follows from its first. */
  private static final List<TokenBlock> BLOCKS =
      IntStream.range(0, 40).mapToObj(ContinuationsTest::block).toList();

  @Test
  void aModelThatHasLearnedTheTextKnowsItsContinuations() {
    TrainerSettings settings = TrainerSettings.builder(200).learningRate(1e-2, 5).seed(4).build();
    try (TrainingLoop loop = new TrainingLoop(SIZE, settings)) {
      double before = Continuations.accuracy(loop.trainer(), BLOCKS, SIZE);
      for (int step = 0; step < 60; step++) {
        loop.step(BLOCKS);
      }
      assertThat(Continuations.accuracy(loop.trainer(), BLOCKS, SIZE))
          .isGreaterThan(before)
          .isGreaterThan(0.95);
    }
  }

  private static TokenBlock block(int token) {
    int length = SIZE.sequenceLength() + 1;
    ByteBuffer bytes = ByteBuffer.allocate(2 * length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < length; i++) {
      bytes.putShort((short) token);
    }
    return TokenBlock.newBuilder()
        .setFingerprint(1)
        .setDomain("a")
        .setOrdinal(token)
        .setTokenWidth(2)
        .setTokens(bytes.flip())
        .setDocumentLengths(List.of(length))
        .setDocumentIds(List.of("d"))
        .setTrainedTokens(length - 1)
        .build();
  }
}
