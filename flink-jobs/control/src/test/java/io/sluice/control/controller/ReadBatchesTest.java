package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ReadBatches;
import io.sluice.schema.TrainerProgress;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What trainers say of the batches that they have read, which is not the controller's to keep. */
final class ReadBatchesTest {
  private static TrainerProgress reading(TrainerProgress progress) {
    List<Long> digests = Collections.nCopies((int) Math.min(1024, progress.getBatch()), 5L);
    long first = progress.getBatch() - digests.size() + 1;
    return TrainerProgress.newBuilder(progress).setRead(new ReadBatches(first, digests)).build();
  }

  /** What a controller keeps that has heard of checkpoints, and of a timeline to come. */
  private static Map<String, ByteBuffer> kept(UnaryOperator<TrainerProgress> says) {
    TestingController controller = TestingController.started(spec().build());
    controller.feedback(feedback(0, 4, 4));
    controller.settle();
    TrainerProgress keeping =
        TrainerProgress.newBuilder(progress(9)).setOldestCheckpoint(8).build();
    TrainerProgress early = TrainerProgress.newBuilder(progress(9)).setTimeline(1).build();
    controller.progress(says.apply(keeping));
    controller.progress(says.apply(early));
    controller.settle();
    assertThat(controller.status().getProgress()).isEqualTo(9);
    Map<String, ByteBuffer> parts = new TreeMap<>();
    controller.store.load().forEach((part, bytes) -> parts.put(part, ByteBuffer.wrap(bytes)));
    return parts;
  }

  @Test
  void theyAreNotKept() {
    assertThat(kept(ReadBatchesTest::reading)).isEqualTo(kept(UnaryOperator.identity()));
  }

  @Test
  void thoseThatNoRankCanHaveReadAreRefused() {
    TestingController controller = TestingController.started(spec().build());
    controller.progress(
        TrainerProgress.newBuilder(progress(3))
            .setRead(new ReadBatches(3L, List.of(1L, 2L)))
            .build());
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("progress read.first must be in [1, 2]: 3");
    controller.progress(
        TrainerProgress.newBuilder(progress(3)).setRead(new ReadBatches(1L, List.of())).build());
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("progress read.digests must be of 1 to 1024 batches: 0");
    assertThat(controller.status().getRefusedFeedback()).isEqualTo(2);
    assertThat(controller.status().getProgress()).isZero();
  }
}
