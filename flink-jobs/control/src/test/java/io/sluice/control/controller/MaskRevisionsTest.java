package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.DocumentMask;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run masks, and that it never gives it free. */
final class MaskRevisionsTest {
  private static final int LEAD = 8;
  private static final String A = "a".repeat(64);
  private static final String B = "b".repeat(64);

  private final TestingController controller = TestingController.started(masked(mask(3, A)));
  private final RevisedController run = new RevisedController(controller);

  @Test
  void aMaskWithoutABatchBeginsInTheFirstThatIsNotGranted() {
    assertThat(controller.status().getGranted()).isEqualTo(LEAD);
    int version = controller.status().getWeightsVersion();
    run.revise("c1", masked(mask(0, B), mask(3, A)));
    assertThat(run.refusals()).isEmpty();
    assertThat(run.revision().getSpec().getMasks()).containsExactly(mask(3, A), mask(LEAD + 1, B));
    assertThat(run.revision().getSnapshot().getWeightsVersion()).isEqualTo(version + 1);
  }

  @Test
  void aMaskBeginsInNoGrantedBatchAndStays() {
    run.revise("c1", masked());
    run.revise("c2", masked(mask(4, A)));
    run.revise("c3", masked(mask(3, A), mask(8, B)));
    assertThat(run.refusals())
        .containsExactly(
            "refused: set " + A + " must stay masked from batch 3: it is not",
            "refused: set " + A + " must stay masked from batch 3: 4",
            "refused: set " + B + " must be masked from batch 9 at least: 8");
    run.revise("c4", masked(mask(3, A), mask(9, B)));
    assertThat(run.refusals()).hasSize(3);
    assertThat(run.revision().getSpec().getMasks()).containsExactly(mask(3, A), mask(9, B));
  }

  @Test
  void aRewindGivesFreeNothingThatIsMasked() {
    run.revise("c0", masked(mask(3, A), mask(0, B)));
    run.rewind("c1", 5, masked(mask(3, A)));
    run.rewind("c2", 5, masked(mask(3, A), mask(9, B)));
    run.rewind("c3", 5, masked(mask(3, A), mask(5, B)));
    run.rewind("c4", 2, masked(mask(2, A), mask(3, B)));
    assertThat(run.refusals())
        .containsExactly(
            "refused: set " + B + " must be masked from batch 6: it is not",
            "refused: set " + B + " must be masked from batch 6: 9",
            "refused: set " + B + " must be masked from batch 6: 5",
            "refused: set " + A + " must be masked from batch 3: 2");
    run.rewind("c5", 5, masked(mask(3, A), mask(6, B)));
    assertThat(run.refusals()).hasSize(4);
    assertThat(controller.status().getTimeline()).isEqualTo(1);
  }

  @Test
  void whoKnowsNoMasksIsNotGivenWhatIsMasked() {
    int after = controller.written.size();
    run.revise("c1", masked(mask(3, A), mask(0, B)));
    int withMasks = 6;
    assertThat(RunControllerTest.schema(controller.written.get(0))).isEqualTo(withMasks);
    assertThat(RunControllerTest.schema(controller.written.get(after))).isEqualTo(withMasks);
    assertThat(controller.written.subList(after + 1, controller.written.size()))
        .allSatisfy(value -> assertThat(RunControllerTest.schema(value)).isIn(1, 2, 3, 4, 5));
  }

  @Test
  void whoKnowsNoHashesOfIdsIsNotGivenARunWhoseBlocksHaveThem() {
    RunSpec spec = hashed(masked());
    int withHashes = 7;
    TestingController started = TestingController.started(spec);
    RevisedController other = new RevisedController(started);
    int after = started.written.size();
    other.revise("c1", masked(mask(0, B)));
    assertThat(other.refusals())
        .containsExactly(
            "refused: document-ids must stay hashes, a changed one is a new run: names");
    other.revise("c2", hashed(masked(mask(0, B))));
    assertThat(other.refusals()).hasSize(1);
    assertThat(other.revision().getSpec().getDocumentIds()).isEqualTo("hashes");
    assertThat(RunControllerTest.schema(started.written.get(0))).isEqualTo(withHashes);
    assertThat(started.written.subList(after, started.written.size()))
        .anySatisfy(value -> assertThat(RunControllerTest.schema(value)).isEqualTo(withHashes));
  }

  private static RunSpec hashed(RunSpec spec) {
    return RunSpec.newBuilder(spec).setDocumentIds("hashes").build();
  }

  private static DocumentMask mask(long from, String set) {
    return new DocumentMask(from, set, 2, "a takedown");
  }

  private static RunSpec masked(DocumentMask... masks) {
    return spec()
        .setPolicy("static")
        .setPolicySettings(Map.of())
        .setUpdateEvery(0)
        .setLead(LEAD)
        .setMasks(List.of(masks))
        .build();
  }
}
