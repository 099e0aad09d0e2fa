package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.RowLength;
import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lengths of a run's rows may change from a batch on that is not granted. */
final class RowLengthRevisionsTest {
  private static final int LEAD = 8;

  private final TestingController controller =
      TestingController.started(rows(new RowLength(3L, 32)));
  private final RevisedController run = new RevisedController(controller);

  @Test
  void rowsChangeFromABatchOnThatIsNotGranted() {
    assertThat(controller.status().getGranted()).isEqualTo(LEAD);
    RunSpec wanted = rows(new RowLength(3L, 32), new RowLength(9L, 64));
    run.revise("c1", wanted);
    assertThat(run.refusals()).isEmpty();
    assertThat(run.revision().getSpec().getRowLengths()).isEqualTo(wanted.getRowLengths());
  }

  @Test
  void rowsOfGrantedBatchesStay() {
    run.revise("c1", rows());
    run.revise("c2", rows(new RowLength(3L, 64)));
    run.revise("c3", rows(new RowLength(3L, 32), new RowLength(8L, 64)));
    assertThat(run.refusals())
        .containsExactly(
            "refused: sequence-length must stay {3=32} up to batch 8: {}",
            "refused: sequence-length must stay {3=32} up to batch 8: {3=64}",
            "refused: sequence-length must stay {3=32} up to batch 8: {3=32, 8=64}");
  }

  @Test
  void rowsThatAreNoPartsOfSequencesAreRefused() {
    run.revise("c1", rows(new RowLength(3L, 32), new RowLength(20L, 48)));
    run.revise("c2", rows(new RowLength(3L, 32), new RowLength(20L, 0)));
    run.revise("c3", rows(new RowLength(3L, 32), new RowLength(20L, 256)));
    run.revise("c4", rows(new RowLength(3L, 32), new RowLength(3L, 64)));
    assertThat(run.refusals())
        .containsExactly(
            "refused: sequence-length must be in [1, 128] tokens and divide the dataset's 128: 48",
            "refused: sequence-length must be in [1, 128] tokens and divide the dataset's 128: 0",
            "refused: sequence-length must be in [1, 128] tokens and divide the dataset's 128: 256",
            "refused: sequence-length must begin after batch 3, where the length before begins:"
                + " batch 3");
  }

  @Test
  void aRewindToBeforeAStageMayLeaveItOutAndOneBehindItMayNot() {
    run.rewind("c1", 5, rows());
    assertThat(run.refusals())
        .containsExactly("refused: sequence-length must stay {3=32} up to batch 5: {}");
    run.rewind("c2", 2, rows(new RowLength(7L, 64)));
    assertThat(run.refusals()).hasSize(1);
    assertThat(controller.status().getTimeline()).isEqualTo(1);
    assertThat(run.revision().getSpec().getRowLengths()).containsExactly(new RowLength(7L, 64));
  }

  private static RunSpec rows(RowLength... lengths) {
    return spec()
        .setPolicy("static")
        .setPolicySettings(Map.of())
        .setUpdateEvery(0)
        .setLead(LEAD)
        .setRowLengths(List.of(lengths))
        .build();
  }
}
